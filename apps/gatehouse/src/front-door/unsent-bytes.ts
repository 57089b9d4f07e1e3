/** Cuts off clients that do not read their answers, which wait in the memory of the process. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { type Logger } from 'pino';

const CHECK_INTERVAL_MS = 100;
const STALLED_MS = 15_000;
const LOG_INTERVAL_MS = 1_000;

interface Answer {
  readonly response: ServerResponse;
  /** While a long write is being sent, the size of this queue changes, but not writableLength. */
  readonly socket: IncomingMessage['socket'] & { _handle?: { writeQueueSize: number } | null };
  readonly client: string;
  queuedBytes: number;
  sinceMs: number;
}

export class UnsentBytes {
  private readonly answers = new Set<Answer>();
  private timer: NodeJS.Timeout | undefined;
  private loggedMs = -Infinity;

  /** @param nowMs a monotonic clock */
  constructor(
    private readonly logger: Logger,
    private readonly budgetBytes = getHeapStatistics().heap_size_limit / 8,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts a response. @returns what to call when it has ended */
  follow(response: ServerResponse, client: string): () => void {
    const answer = { response, socket: response.req.socket, client, queuedBytes: 0, sinceMs: 0 };
    this.answers.add(answer);
    this.timer ??= setInterval(() => this.check(this.nowMs()), CHECK_INTERVAL_MS).unref();
    return () => {
      this.answers.delete(answer);
      if (this.answers.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private check(nowMs: number): void {
    let excess = -this.budgetBytes;
    const bytesOf = new Map<string, number>();
    for (const answer of this.answers) {
      const { response, socket, client } = answer;
      const queuedBytes = socket._handle?.writeQueueSize ?? 0;
      if (queuedBytes === 0 || queuedBytes !== answer.queuedBytes) answer.sinceMs = nowMs;
      answer.queuedBytes = queuedBytes;
      if (nowMs - answer.sinceMs >= STALLED_MS) this.cut(answer, nowMs);
      else excess += response.writableLength;
      bytesOf.set(client, (bytesOf.get(client) ?? 0) + response.writableLength);
    }
    const bytes = ({ client }: Answer) => bytesOf.get(client) ?? 0;
    const heaviestFirst = excess > 0 ? [...this.answers].sort((a, b) => bytes(b) - bytes(a)) : [];
    for (const answer of heaviestFirst) {
      if (excess > 0 && answer.response.writableLength > 0) this.cut(answer, nowMs);
      excess -= answer.response.writableLength;
    }
  }

  private cut({ socket, client }: Answer, nowMs: number): void {
    socket.destroy();
    if (nowMs - this.loggedMs < LOG_INTERVAL_MS) return;
    this.loggedMs = nowMs;
    this.logger.warn({ client }, 'a client that does not read was cut off');
  }
}
