/** How the client reaches Gatehouse: by fetch alone, so that it runs wherever Web APIs do. */
import { GatehouseError, errorOf } from './gatehouse-error.js';

export interface ConnectionOptions {
  /** The admin surface, such as `https://gatehouse.internal:8089`. By default GATEHOUSE_URL. */
  readonly url?: string;
  /** An administrator's key, or an issued key with the control scopes needed. By default GATEHOUSE_KEY. */
  readonly key?: string;
  /** How long one request may take, in milliseconds. By default 10,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** One request, as operations describe it. */
export interface Call {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData | URLSearchParams;
  readonly signal?: AbortSignal;
}

export interface Connection {
  /** The address of Gatehouse, without a trailing slash. */
  readonly url: string;
  /**
   * Sends a request and returns the response, whatever its status.
   *
   * @throws GatehouseError with status 503 if there is no response
   */
  send(call: Call): Promise<Response>;
  /**
   * Reads a response that must be a success.
   *
   * @returns the parsed body, a text if it is not JSON, undefined if it is empty
   * @throws GatehouseError with the status of the response
   */
  read(response: Response): Promise<unknown>;
  /** Sends a request and reads its response; throws as both do. */
  json(call: Call): Promise<unknown>;
}

const TIMEOUT_MS = 10_000;

/** @throws TypeError without an address or a key, or if one is malformed */
export function connect(options: ConnectionOptions = {}): Connection {
  const url = (options.url ?? environment('GATEHOUSE_URL'))?.replace(/\/+$/, '');
  const key = (options.key ?? environment('GATEHOUSE_KEY'))?.trim();
  if (!url) throw missing('address of Gatehouse', 'url', 'GATEHOUSE_URL');
  if (!key) throw missing('key for Gatehouse', 'key', 'GATEHOUSE_KEY');
  // Errors of fetch repeat what it cannot send, with the secret.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The key for Gatehouse has blanks or characters that are not ASCII');
  }
  if (!/^https?:\/\/[^/@]+(\/|$)/.test(url)) {
    throw new TypeError(
      'The address of Gatehouse must begin with http:// or https://, and have no user name',
    );
  }
  const { timeoutMs = TIMEOUT_MS } = options;
  const send = async ({ method, path, headers, body, signal }: Call): Promise<Response> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await (options.fetch ?? fetch)(url + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${key}` },
        body,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new GatehouseError({
        status: 503,
        message: `Gatehouse cannot be reached at ${url}: ${reasonOf(error)}`,
        cause: error,
      });
    }
  };
  return { url, send, read, json: async (call) => read(await send(call)) };
}

async function read(response: Response): Promise<unknown> {
  if (!response.ok) throw await errorOf(response);
  const text = await response.text();
  if (text === '') return undefined;
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/** Node.js hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message} (${cause.message})` : message;
}

function missing(what: string, option: string, variable: string): TypeError {
  return new TypeError(`The ${what} is missing: pass ${option}, or set ${variable}`);
}

/** Undefined where there is no environment, as on Workers. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
