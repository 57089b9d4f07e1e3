/**
 * Hands the event log to the program that embeds directory sync: all directories, in order. The cursor
 * moves in the transaction in which an event is handled. So what the handler writes in that transaction
 * happens once, whenever a process dies, and processes of one program take turns at the same cursor.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogPosition } from '@gatehouse/delivery';
import { type Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { EventRepository, type LoggedEvent } from '../events/event.repository.js';
import { type DirectoryEvent } from '../events/event.types.js';
import { eventPayload } from '../events/event.view.js';
import { type SyncLogger } from '../sync-logger.js';

/** The transaction in which an event is handled. */
export interface EventTransaction {
  /**
   * Runs one statement, with values for `$1`, `$2` and so on.
   *
   * @returns the rows
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * Handles one event, within 30 seconds. When it throws, its transaction is rolled back, and the event is
 * handed on again after a pause, before all later ones.
 */
export type EventHandler = (event: DirectoryEvent, transaction: EventTransaction) => unknown;

const CURSOR = 'embedded';
const ALL = { tenant: null, product: null };
const PAGE_EVENTS = 100;
const PAGE_BYTES = 1024 * 1024;
const HANDLER_SECONDS = 30;
const PAUSE_MS_MAX = 60_000;

const CREATE: Statement = {
  text: 'INSERT INTO dsync.event_cursors (name) VALUES ($1) ON CONFLICT DO NOTHING',
};
const READ: Statement = {
  text: `SELECT sequence, event_at AS "createdAt" FROM dsync.event_cursors WHERE name = $1`,
};
/** No row if another process handles an event, or has moved the cursor. */
const MOVE: Statement = {
  text: `UPDATE dsync.event_cursors SET sequence = $3, event_at = $4
    WHERE name = (SELECT name FROM dsync.event_cursors
      WHERE name = $1 AND sequence = $2 FOR UPDATE SKIP LOCKED)
    RETURNING set_config('idle_in_transaction_session_timeout', '${HANDLER_SECONDS + 1}s', true)`,
};
const AGE: Statement = {
  text: `SELECT extract(epoch FROM now() - event_at)::float AS seconds
    FROM dsync.event_cursors WHERE name = $1`,
};
/** Events may be this much older than one before them; see TRANSACTION_TIME_MAX. */
const SLACK_SECONDS = 86_400;

/** How long events are kept, so that none is dropped before it is handled; 0: without end. */
export async function keptSeconds(sql: Sql, ttlSeconds: number): Promise<number> {
  const [handled] = await sql.rows<{ seconds: number | null }>(AGE, [CURSOR]);
  if (!handled) return ttlSeconds;
  const { seconds } = handled;
  return seconds === null ? 0 : Math.max(ttlSeconds, seconds + SLACK_SECONDS);
}

export class EventFollower {
  private readonly log: EventRepository;
  private failures = 0;
  private retryAtMs = 0;

  constructor(
    private readonly sql: Sql,
    private readonly onEvent: EventHandler,
    private readonly logger: SyncLogger,
    private readonly signal: AbortSignal,
  ) {
    this.log = new EventRepository(sql, PAGE_BYTES);
  }

  /** Handles what waits, until an event fails, another process takes a turn, or the signal aborts. */
  async run(): Promise<void> {
    if (performance.now() < this.retryAtMs) return;
    while (!this.signal.aborted) {
      let position = await this.position();
      const events = await this.log.list(ALL, position, PAGE_EVENTS);
      if (events.length === 0) return;
      for (const event of events) {
        if (this.signal.aborted || !(await this.handle(position, event))) return;
        position = event;
      }
    }
  }

  private async position(): Promise<LogPosition> {
    const [stored] = await this.sql.rows<LogPosition>(READ, [CURSOR]);
    if (stored) return stored;
    await this.sql.rows(CREATE, [CURSOR]);
    return this.position();
  }

  /** @returns false if it was not the turn of this process, or the event failed */
  private async handle(position: LogPosition, event: LoggedEvent): Promise<boolean> {
    try {
      const isHandled = await this.handleInTransaction(position, event);
      this.failures = 0;
      return isHandled;
    } catch (error) {
      const pauseMs = Math.min(1_000 * 2 ** this.failures, PAUSE_MS_MAX);
      this.failures += 1;
      this.retryAtMs = performance.now() + pauseMs;
      const fields = { err: error, eventId: event.id, type: event.type };
      this.logger.error(fields, `event not handled; it is tried again in ${pauseMs} ms`);
      return false;
    }
  }

  private handleInTransaction(position: LogPosition, event: LoggedEvent): Promise<boolean> {
    const work = async (transaction: SqlExecutor) => {
      const values = [CURSOR, position.sequence, event.sequence, event.createdAt];
      if ((await transaction.rows(MOVE, values)).length === 0) return false;
      await whileOpen(transaction, (open) => this.onEvent(eventPayload(event, event.source), open));
      return true;
    };
    return this.sql.transaction(work, { retry: 'never' });
  }
}

/** Refuses queries that the handler did not wait for: the connection may be in other hands. */
async function whileOpen(
  sql: SqlExecutor,
  handle: (transaction: EventTransaction) => unknown,
): Promise<void> {
  let isOver = false;
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    if (isOver) throw new Error('the transaction of the event is over; await each query');
    return sql.rows<Row>({ text }, values);
  };
  try {
    await inTime(handle({ query }));
  } finally {
    isOver = true;
  }
}

async function inTime(handled: unknown): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  const late = sleep(HANDLER_SECONDS * 1_000, null, { signal, ref: false }).then(() => {
    throw new Error(`onEvent did not end within ${HANDLER_SECONDS} s`);
  });
  await Promise.race([handled, late]).finally(() => timer.abort());
}
