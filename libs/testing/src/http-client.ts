import { type Answer } from './answer.js';
import { type AnswerChecks } from './answer-checks.js';

export interface RequestOptions {
  headers?: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  body?: RequestInit['body'];
  /** Sent as JSON, as `application/json` unless `headers` has another content type. */
  json?: unknown;
}

/**
 * Sends requests to one service, each on a connection of its own: one that waited in a pool may be closed
 * by the service at the moment of the next request. Redirects are returned, not followed.
 */
export class HttpClient {
  /**
   * @param url of the service, without a trailing slash
   * @param checks applied to every answer, usually those of the test stack
   */
  constructor(
    readonly url: string,
    private readonly checks?: AnswerChecks,
  ) {}

  /** @throws when the answer does not match the service's OpenAPI description */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const {
      headers = {},
      json,
      body = json === undefined ? undefined : JSON.stringify(json),
    } = options;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        connection: 'close',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : parsed(response, text),
      text,
    };
    await this.checks?.check(this.url, { method, path, headers, content: json ?? body }, answer);
    return answer;
  }
}

function parsed({ headers }: Response, text: string): unknown {
  return /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}
