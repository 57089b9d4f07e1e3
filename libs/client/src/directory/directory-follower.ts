import { connect, type ConnectionOptions, GatehouseError } from '../connection/index.js';
import { type ReceivedRequest } from '../webhooks/request-body.js';
import { verifiedBody, type WebhookSecrets } from '../webhooks/webhook.js';
import { WebhookError } from '../webhooks/webhook-error.js';
import { DirectoryApi, type DirectoryScope } from './directory-api.js';
import { type EventPattern } from './directory-event.js';
import { type Handler, Handlers, type SnapshotHandler } from './handlers.js';
import { Pass, type PassOptions } from './pass.js';
import { sleep } from './sleep.js';
import { type Store } from './store.js';

export interface DirectoryOptions<Context> extends ConnectionOptions, DirectoryScope {
  readonly store: Store<Context>;
  /** Of the position in the store. By default the scope: `acme:shop`, or the id of the directory. */
  readonly name?: string;
  /**
   * Where to begin. By default `snapshot`: with the users and groups that are there, then the log. `log`: with
   * the oldest event of the log. `now`: with the next event. Or the id of the last event that was handled.
   */
  readonly from?: string;
  /** Of the webhook, for `receive`. */
  readonly secrets?: WebhookSecrets;
  /** How often the log is read without a webhook, in milliseconds. By default 5,000. */
  readonly pollMs?: number;
}

export interface StartOptions {
  readonly signal?: AbortSignal;
  /** Called for each failure: a `HandlerError`, a `GatehouseError`, or an error of the store. */
  readonly onError: (error: unknown) => void;
}

const POLL_MS = 5_000;
/** After an event or a webhook. A slower change may hide an event for a moment. */
const PAUSE_MS_MIN = 50;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;

/**
 * Follows the users and groups of directories: each event of the log is handled once and in order. Webhooks
 * only say that the log has grown.
 */
export class DirectoryFollower<Context> {
  private readonly handlers = new Handlers<Context>();
  private readonly pass: PassOptions<Context>;
  /** Aborted by a webhook. */
  private bell = new AbortController();

  /** @throws TypeError without an address or a key of Gatehouse, or for a tenant without a product */
  constructor(private readonly options: DirectoryOptions<Context>) {
    const { store, directoryId, tenant, product, from = 'snapshot' } = options;
    if (tenant && !product) throw new TypeError('A tenant needs a product: pass product too');
    const { name = directoryId ?? `${tenant ?? ''}:${product ?? ''}` } = options;
    const api = new DirectoryApi(connect(options), { directoryId, tenant, product });
    this.pass = { api, handlers: this.handlers, store, name, from };
  }

  /** Adds a handler. The handlers of an event run in the order in which they were added. */
  on<Pattern extends EventPattern>(pattern: Pattern, handler: Handler<Context, Pattern>): this {
    this.handlers.ofEvents.push({ pattern, handler });
    return this;
  }

  /** Adds a handler that runs before the events of a snapshot. */
  onSnapshot(handler: SnapshotHandler<Context>): this {
    this.handlers.ofSnapshots.push(handler);
    return this;
  }

  /**
   * Follows the log until the signal aborts, then resolves when what is under way is done. Whatever fails is
   * tried again: after half a second at first, and 30 seconds at most.
   */
  async start({ signal = new AbortController().signal, onError }: StartOptions): Promise<void> {
    const { pollMs = POLL_MS } = this.options;
    let idle = Infinity;
    let failures = 0;
    while (!signal.aborted) {
      this.bell = new AbortController();
      try {
        idle = (await this.catchUp({ signal })) ? 0 : idle + 1;
        failures = 0;
        await sleep(Math.min(pollMs, PAUSE_MS_MIN * 2 ** idle), signal, this.bell.signal);
        if (this.bell.signal.aborted) idle = 0;
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await sleep(retryMs(failures, error), signal);
        failures += 1;
      }
    }
  }

  /**
   * Handles what is in the log, for programs that run now and then, such as functions.
   *
   * @returns false if there was nothing to handle, or another process does it
   * @throws HandlerError, GatehouseError, or an error of the store
   */
  catchUp({ signal }: { readonly signal?: AbortSignal } = {}): Promise<boolean> {
    return new Pass(this.pass, signal ?? new AbortController().signal).run();
  }

  /**
   * Receives a webhook: the log has grown.
   *
   * @returns 204, or the status and the reason of a refusal
   * @throws TypeError without `secrets`, or if the body was parsed
   */
  async receive(request: ReceivedRequest): Promise<Response> {
    try {
      await verifiedBody(request, this.options.secrets ?? []);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return new Response(error.message, { status: error.status });
    }
    this.bell.abort();
    return new Response(null, { status: 204 });
  }
}

function retryMs(failures: number, error: unknown): number {
  const askedMs = error instanceof GatehouseError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(RETRY_MS_MAX, Math.max(askedMs, RETRY_MS_MIN * 2 ** failures));
}
