/** Reads JSON from the API of a source. Faults of the network, 429 and 5xx are tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StackFault, reasonOf } from '#local-stack/fault.mjs';

const TIMEOUT_MS = 30_000;
const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 30_000;

export interface JsonAnswer {
  status: number;
  body: unknown;
  headers: Headers;
}

/** A client of one API. Its key is in no message. */
export class JsonApi {
  private readonly base: string;

  constructor(
    address: string,
    private readonly headers: Record<string, string>,
    private readonly signal: AbortSignal,
  ) {
    this.base = address.replace(/\/+$/, '');
  }

  /**
   * @returns answers of status 2xx and those of `accepted`
   * @throws StackFault for any other
   */
  async get(path: string, accepted: readonly number[] = []): Promise<JsonAnswer> {
    return this.send('GET', path, undefined, accepted);
  }

  async post(path: string, body: unknown, accepted: readonly number[] = []): Promise<JsonAnswer> {
    return this.send('POST', path, body, accepted);
  }

  private async send(
    method: string,
    path: string,
    body: unknown,
    accepted: readonly number[],
  ): Promise<JsonAnswer> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === TRIES_MAX;
      const answer = await this.once(method, path, body).catch((error: unknown) => {
        this.signal.throwIfAborted();
        if (last) throw new StackFault(`${this.base} does not answer: ${reasonOf(error)}`);
        return undefined;
      });
      if (answer && (isOk(answer.status) || accepted.includes(answer.status))) return answer;
      const isTransient = !answer || answer.status === 429 || answer.status >= 500;
      if (answer && (last || !isTransient)) throw faultOf(method, path, answer);
      await sleep(pauseMs(attempt, answer), undefined, { signal: this.signal });
    }
  }

  private async once(method: string, path: string, body: unknown): Promise<JsonAnswer> {
    const content: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(this.base + path, {
      method,
      headers: { Accept: 'application/json', ...content, ...this.headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  }
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

function pauseMs(attempt: number, answer: JsonAnswer | undefined): number {
  const asked = Number(answer?.headers.get('retry-after') ?? '') * 1_000;
  const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1);
  return Math.min(Math.max(pause, Number.isFinite(asked) ? asked : 0), PAUSE_MAX_MS);
}

function faultOf(method: string, path: string, { status, body }: JsonAnswer): StackFault {
  const { error } = (body ?? {}) as { error?: { message?: unknown; reason?: unknown } };
  const reason = [error?.message, error?.reason].filter((each) => typeof each === 'string');
  const text = reason.length > 0 ? `: ${reason.join(', ').slice(0, 300)}` : '';
  return new StackFault(`${method} ${path.split('?')[0]} was answered with ${status}${text}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
