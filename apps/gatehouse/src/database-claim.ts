/**
 * Keeps a process without Redis alone on its database: it counts limits in memory, and its messages reach no
 * other process. Processes with Redis share the claim.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BoundedClient } from '@gatehouse/kit/sql';
import { type Logger } from 'pino';

/** An arbitrary advisory lock id that no other program of this database uses. */
const LOCK_ID = 7_120_305;
/** Long enough for the end of a process that this one replaces. */
const TRIES = 20;
const TRY_PAUSE_MS = 500;
const RETRY_PAUSE_MS = 1_000;
/** How often the session is used, so that its loss is noticed. */
const CHECK_INTERVAL_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;
const ENDING_PAUSE_MS = 50;

/** Ends the session of a backend that holds the claim. */
const END_SESSION = `SELECT pg_terminate_backend(l.pid) FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.pid = $2`;

const TAKEN =
  'another Gatehouse process uses this database; set REDIS_URL in all of them, or run one process only';

export interface ClaimOptions {
  /** Of PostgreSQL itself: the claim belongs to a session. */
  readonly databaseUrl: string;
  /** Whether other processes may share it. */
  readonly isShared: boolean;
  readonly logger: Logger;
}

export class DatabaseClaim {
  private client: BoundedClient | undefined;
  /** The backend of the last session that had the claim. */
  private backendPid: number | undefined;
  private isReleased = false;

  private constructor(
    private readonly options: ClaimOptions,
    private readonly onLost: (error: Error) => void,
  ) {}

  /**
   * Claims the database, and claims it again whenever the session was lost.
   *
   * @param onLost called when another process has the claim after a session was lost
   * @throws Error if another process has it
   */
  static async take(options: ClaimOptions, onLost: (error: Error) => void): Promise<DatabaseClaim> {
    const claim = new DatabaseClaim(options, onLost);
    for (let tries = 1; !(await claim.tryOnce()); tries += 1) {
      if (tries === TRIES) throw new Error(TAKEN);
      if (tries === 1) options.logger.warn('waiting for another process to leave this database');
      await sleep(TRY_PAUSE_MS);
    }
    return claim;
  }

  async release(): Promise<void> {
    this.isReleased = true;
    await this.client?.end().catch(() => undefined);
  }

  private async tryOnce(): Promise<boolean> {
    const { databaseUrl, isShared } = this.options;
    const client = new BoundedClient({
      connectionString: databaseUrl,
      application_name: 'gatehouse-claim',
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    });
    await client.connect();
    try {
      // The server notices within half a minute that the machine of this process is gone.
      await client.query(
        'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3',
      );
      const lock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
      await this.endFormerSession(client);
      const { rows } = await client.query<{ isTaken: boolean; pid: number }>(
        `SELECT ${lock}($1) AS "isTaken", pg_backend_pid() AS pid`,
        [LOCK_ID],
      );
      const [answer] = rows;
      if (answer?.isTaken) {
        this.backendPid = answer.pid;
        this.keep(client);
        return true;
      }
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    await client.end();
    return false;
  }

  /** The server may not know yet that the session is lost, and hold its claim. */
  private async endFormerSession(client: BoundedClient): Promise<void> {
    if (this.backendPid === undefined) return;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { rowCount } = await client.query(END_SESSION, [LOCK_ID, this.backendPid]);
      if (rowCount === 0) return;
      await sleep(ENDING_PAUSE_MS);
    }
  }

  /** A connection can be lost without a sign: the check then gets no answer, and ends it. */
  private keep(client: BoundedClient): void {
    this.client = client;
    client.once('end', () => void this.claimAgain());
    void this.check(client);
  }

  private async check(client: BoundedClient): Promise<void> {
    try {
      while (this.client === client && !this.isReleased) {
        await sleep(CHECK_INTERVAL_MS, undefined, { ref: false });
        await client.query('SELECT 1');
      }
    } catch {
      // The session ends, which `keep` notices.
    }
  }

  /** PostgreSQL may be away for any time; only the claim of another process ends this one. */
  private async claimAgain(): Promise<void> {
    if (!this.isReleased) this.options.logger.warn('the session that claims the database was lost');
    while (!this.isReleased) {
      const isTaken = await this.tryOnce().catch(() => undefined);
      if (isTaken) return;
      if (isTaken === false) return this.onLost(new Error(TAKEN));
      await sleep(RETRY_PAUSE_MS, undefined, { ref: false });
    }
  }
}
