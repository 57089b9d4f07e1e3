/**
 * Reads JSON from the API of a provider. A lost connection, 5xx and 429 are tried again after an
 * exponential backoff with jitter, or when the provider says; a refused token is renewed once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError, type Received } from '@gatehouse/kit/outbound';
import { isObject, type JsonObject } from '@gatehouse/scim';
import { WorkspaceError } from '../workspace.errors.js';
import { type Access } from './access.js';
import { type ProviderHttp, type ProviderRequest } from './provider-http.js';
import { type RequestPacer } from './request-pacer.js';

/** How the API of a provider refuses requests. */
export interface Dialect {
  /** As administrators know it. */
  provider: string;
  /** Whether a refusal only asks for fewer requests. */
  isRateLimit(status: number, body: JsonObject): boolean;
  refusal(status: number, body: JsonObject): WorkspaceError;
}

export interface Read {
  directoryId: string;
  url: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Write {
  directoryId: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** Sent as JSON. */
  content?: object;
  signal?: AbortSignal;
}

export interface ReadAnswer {
  body: JsonObject;
  /** Requests that it took. */
  calls: number;
}

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
const ATTEMPTS_MAX = 5;
const DELAY_MAX_MS = 20_000;
/** A longer wait is for the run: it goes on later, at its page. */
const WAIT_SECONDS_MAX = 60;

export class ProviderRequests {
  constructor(
    private readonly http: ProviderHttp,
    private readonly pacer: RequestPacer,
    private readonly dialect: Dialect,
    /** Delay of the first retry. */
    private readonly delayMs = 500,
  ) {}

  /** @throws WorkspaceError; the reason of the signal once it is aborted */
  async read(access: Access, { directoryId, url, headers, signal }: Read): Promise<ReadAnswer> {
    let hasRenewed = false;
    for (let calls = 1, failures = 0; ; calls += 1) {
      await this.pacer.turn(directoryId, signal);
      const token = await access.token();
      const authorized = {
        ...headers,
        accept: 'application/json',
        authorization: `Bearer ${token}`,
      };
      const answer = await this.attempt({ url, headers: authorized, signal });
      if (!(answer instanceof OutboundError)) {
        if (answer.status === 200) return { body: this.bodyOf(answer), calls };
        if (answer.status === 401 && !hasRenewed) {
          await access.renew(token);
          hasRenewed = true;
          continue;
        }
      }
      failures += 1;
      await this.waitAfter(answer, failures, signal);
    }
  }

  /**
   * Sends a change once: one whose answer got lost may have been made. Only a refused token is renewed.
   *
   * @returns the answer, empty if it has no body
   * @throws WorkspaceError; the reason of the signal once it is aborted
   */
  async write(access: Access, { directoryId, content, ...request }: Write): Promise<JsonObject> {
    for (let hasRenewed = false; ; hasRenewed = true) {
      await this.pacer.turn(directoryId, request.signal);
      const token = await access.token();
      const headers = { ...JSON_HEADERS, authorization: `Bearer ${token}` };
      const body = content && JSON.stringify(content);
      const answer = await this.attempt({ ...request, headers, body });
      if (!(answer instanceof OutboundError)) {
        if (answer.status === 204) return {};
        if (answer.status === 200 || answer.status === 201) return this.bodyOf(answer);
        if (answer.status === 401 && !hasRenewed) {
          await access.renew(token);
          continue;
        }
      }
      throw this.judge(answer).fault;
    }
  }

  private async attempt(request: ProviderRequest): Promise<Received | OutboundError> {
    try {
      return await this.http.request(request);
    } catch (error) {
      if (error instanceof OutboundError) return error;
      throw error;
    }
  }

  /** Resolves when the request may be tried again. */
  private async waitAfter(
    answer: Received | OutboundError,
    failures: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { fault, waitSeconds } = this.judge(answer);
    const isOver = failures >= ATTEMPTS_MAX || (waitSeconds ?? 0) > WAIT_SECONDS_MAX;
    if (isOver) throw fault;
    const backoffMs = Math.min(DELAY_MAX_MS, this.delayMs * 2 ** (failures - 1));
    const waitMs = waitSeconds === null ? backoffMs * (0.5 + Math.random()) : waitSeconds * 1_000;
    await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }

  /** The error that ends the reading if no try succeeds. @throws WorkspaceError if none can */
  private judge(answer: Received | OutboundError): {
    fault: WorkspaceError;
    waitSeconds: number | null;
  } {
    const { provider } = this.dialect;
    if (answer instanceof OutboundError) {
      const message = `${provider} could not be reached: ${answer.message}.`;
      return { fault: new WorkspaceError('unavailable', message), waitSeconds: null };
    }
    const { status, headers } = answer;
    const waitSeconds = retryAfterSeconds(headers['retry-after']);
    const body = jsonObjectOf(answer.text) ?? {};
    if (status === 429 || this.dialect.isRateLimit(status, body)) {
      const message = `${provider} wants fewer requests; the run goes on later.`;
      return { fault: new WorkspaceError('rate_limited', message, waitSeconds), waitSeconds };
    }
    if (status < 500) throw this.dialect.refusal(status, body);
    const message = `${provider} answered with status ${status} again and again.`;
    return { fault: new WorkspaceError('unavailable', message, waitSeconds), waitSeconds };
  }

  private bodyOf({ text }: Received): JsonObject {
    const body = jsonObjectOf(text);
    if (body) return body;
    throw new WorkspaceError(
      'invalid_response',
      `${this.dialect.provider} did not answer in JSON.`,
    );
  }
}

function jsonObjectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterSeconds(header: string | string[] | undefined): number | null {
  const text = String(header ?? '').trim();
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}
