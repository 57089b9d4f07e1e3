/** One request and its response, read up to a limit and within a time in total. */
import { type Dispatcher } from 'undici';

export interface Received {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first bytes of the body, as text. */
  text: string;
  /** The body goes on behind `text`. */
  isCut: boolean;
}

export interface ExchangeBounds {
  timeoutMs: number;
  bytesMax: number;
  /** Ends the exchange; it rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** The time was over before the response was complete. */
export class ExchangeTimeout extends Error {
  override readonly name = 'ExchangeTimeout';
}

/** A response in more pieces, or with more informational responses before it, is not read further. */
const PIECES_MAX = 1_024;
/** Long responses may come in more pieces if these are of some size. */
const PIECE_BYTES = 1_024;
const INFORMATIONAL_MAX = 5;

/** Reads the response of a request that a dispatcher sends. */
class ResponseReader implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: Received['headers'] = {};
  private chunks: Buffer[] = [];
  private bytes = 0;
  private informational = 0;
  private isOver = false;
  private isCut = false;
  private readonly timer: NodeJS.Timeout;
  private readonly bytesMax: number;
  private readonly piecesMax: number;
  private readonly signal: AbortSignal | undefined;
  private readonly onAbort = () => {
    const reason = this.signal?.reason as Error;
    if (this.end()) this.reject(reason);
    this.controller?.abort(reason);
  };

  constructor(
    { timeoutMs, bytesMax, signal }: ExchangeBounds,
    private readonly resolve: (received: Received) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.bytesMax = bytesMax;
    this.piecesMax = Math.max(PIECES_MAX, bytesMax / PIECE_BYTES);
    this.signal = signal;
    signal?.addEventListener('abort', this.onAbort);
    this.timer = setTimeout(() => {
      if (this.end()) this.reject(new ExchangeTimeout(`no answer within ${timeoutMs} ms`));
      this.controller?.abort(new ExchangeTimeout());
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The time can be over before a connection is open.
    if (this.isOver) controller.abort(new ExchangeTimeout());
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Received['headers'],
  ): void {
    if (status < 200) {
      this.informational += 1;
      if (this.informational > INFORMATIONAL_MAX) {
        controller.abort(new Error('too many informational responses'));
      }
      return;
    }
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy: the piece may be one byte of a buffer of 64 KiB, which it would keep in memory.
    this.chunks.push(Buffer.from(chunk));
    this.bytes += chunk.length;
    if (this.bytes < this.bytesMax && this.chunks.length < this.piecesMax) return;
    this.isCut = true;
    this.onResponseEnd();
    // The rest is not read, so the connection cannot be used again.
    controller.abort(new Error('the response is longer than needed'));
  }

  onResponseEnd(): void {
    if (!this.end()) return;
    const { status, headers, chunks, bytesMax, isCut } = this;
    const text = Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8');
    this.resolve({ status, headers, text, isCut });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.end()) this.reject(error);
  }

  /** @returns false if it has ended before */
  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
    return true;
  }
}

/**
 * Sends a request. Below `request` of undici, whose streams and signals would be most of the work for
 * a short response.
 *
 * @throws ExchangeTimeout, or the error of the dispatcher
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  bounds: ExchangeBounds,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    bounds.signal?.throwIfAborted();
    dispatcher.dispatch(options, new ResponseReader(bounds, resolve, reject));
  });
}
