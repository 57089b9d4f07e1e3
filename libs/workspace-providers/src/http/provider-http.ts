import {
  OutboundClient,
  OutboundError,
  type OutboundPolicy,
  type OutboundRequest,
  type Received,
} from '@gatehouse/kit/outbound';
/** Requests to providers, all through the outbound policy of webhooks. */

export interface ProviderHttpOptions {
  policy: OutboundPolicy;
  timeoutMs: number;
  /** A longer answer is refused. */
  answerBytesMax: number;
}

export interface ProviderRequest {
  method?: OutboundRequest['method'];
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** Page links of Graph carry their state, some thousand characters of it. */
const URL_CHARACTERS_MAX = 16_384;
/**
 * Tokens come quickly or not at all. Also, a stored token is locked in the database meanwhile, in a
 * transaction that must not be idle for more than 10 s.
 */
const TOKEN_TIMEOUT_MS = 8_000;
/** Statuses for which a Response must not have a body. */
const WITHOUT_BODY = [204, 205, 304];

export class ProviderHttp {
  private readonly client: OutboundClient;

  constructor(private readonly options: ProviderHttpOptions) {
    this.client = new OutboundClient({ ...options.policy, urlCharactersMax: URL_CHARACTERS_MAX });
  }

  /** @throws OutboundError if there is no answer, or one that is too long */
  async request(
    { method = 'GET', ...request }: ProviderRequest,
    timeoutMs = this.options.timeoutMs,
  ): Promise<Received> {
    const { answerBytesMax: bytesMax } = this.options;
    const received = await this.client.request({ method, ...request, timeoutMs, bytesMax });
    if (received.isCut) throw new OutboundError(`the answer has more than ${bytesMax} bytes`);
    return received;
  }

  /**
   * In the form of the global `fetch`, for the OAuth libraries: their requests pass the same policy,
   * times and bounds as all others. They ask for tokens only, by texts and forms.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : input.toString();
    const { method = 'GET', body, signal } = init ?? {};
    const isForm = body instanceof URLSearchParams;
    const form = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const request: ProviderRequest = {
      method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
      url,
      headers: { ...(isForm ? form : {}), ...Object.fromEntries(new Headers(init?.headers)) },
      body: isForm || typeof body === 'string' ? String(body) : undefined,
      signal: signal ?? undefined,
    };
    const timeoutMs = Math.min(TOKEN_TIMEOUT_MS, this.options.timeoutMs);
    const { status, headers, text } = await this.request(request, timeoutMs);
    const answered = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) answered.set(name, String(value));
    }
    const content = WITHOUT_BODY.includes(status) ? null : text;
    return new Response(content, { status, headers: answered });
  };

  async close(): Promise<void> {
    await this.client.close();
  }
}
