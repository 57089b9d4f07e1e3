/**
 * A real PostgreSQL in worlds of a seed: one statement runs at a time, until it has its answer or waits for the lock of
 * another transaction. As in PostgreSQL's own isolation tester, the store and the SQL are the real ones, and
 * only the order is chosen. `now()` is the time of the world.
 */
import pg from 'pg';
import { type TestDatabase } from '../test-database.js';
import { type World } from './world.js';

const CONNECTIONS = 10;
/** Chance that a connection breaks: before a statement arrives, or after it is done. */
const BREAKS = 0.02;
/** Statements that take longer may wait for a lock. */
const ANSWER_MS = 3;
const CLOCK = `CREATE SCHEMA simulation;
  CREATE FUNCTION simulation.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT current_setting('simulation.now')::timestamptz $$`;
const WAITING = 'SELECT pid FROM pg_locks WHERE NOT granted AND pid = ANY ($1)';
const real = { setImmediate, setTimeout };

type Query = string | pg.QueryConfig;

interface Connection {
  readonly client: pg.Client;
  readonly pid: number;
  now: number;
}

/** A statement that the server has. */
interface Sent {
  readonly pid: number;
  readonly ended: Promise<void>;
  /** Gives the code its answer; undefined until there is one. */
  deliver?: () => void;
}

class BrokenConnectionError extends Error {
  override readonly name = 'BrokenConnectionError';
}

/** Whether a statement has no answer because its connection broke. */
export const isBroken = (error: unknown) => error instanceof BrokenConnectionError;

/** What `Sql` needs of a pool. */
export type SteppedPool = Pick<pg.Pool, 'query' | 'connect'>;

export class SteppedDatabase {
  private readonly free: Connection[];
  private readonly sent = new Set<Sent>();
  private world!: World;

  private constructor(
    private readonly database: TestDatabase,
    /** To prepare and to check, outside of the world. */
    readonly plain: pg.Pool,
    private readonly connections: readonly Connection[],
  ) {
    this.free = [...connections];
  }

  /** @param database with its tables; it ends with this */
  static async open(database: TestDatabase): Promise<SteppedDatabase> {
    await database.query(CLOCK);
    const connections = Array.from({ length: CONNECTIONS }, async () => {
      const options = '-c search_path=simulation,pg_catalog,public';
      const client = new pg.Client({ connectionString: database.url, options });
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return { client, pid: rows[0]?.pid ?? 0, now: 0 };
    });
    // Without timers: they would be those of the world.
    const plain = new pg.Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 0 });
    // Its connection may outlive it, and end with the database.
    plain.on('error', () => undefined);
    return new SteppedDatabase(database, plain, await Promise.all(connections));
  }

  get url(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map(({ client }) => client.end()));
    await this.plain.end();
    await this.database.drop();
  }

  /** Where statements wait for their turn from now on. */
  enter(world: World): void {
    this.world = world;
  }

  /** The pool of a process. @param mayBreak whether its connections may break */
  pool(mayBreak: boolean): SteppedPool {
    const connect = async () => {
      const connection = this.free.shift() as Connection;
      await this.tell(connection);
      let hasBroken = false;
      const query = async (statement: Query) => {
        if (hasBroken) throw new BrokenConnectionError();
        try {
          return await this.run(connection, statement, mayBreak);
        } catch (error) {
          hasBroken = isBroken(error);
          // The server undoes what it has not committed.
          if (hasBroken) await this.send(connection, 'ROLLBACK');
          throw error;
        }
      };
      return { query, release: () => this.free.unshift(connection) };
    };
    const query = async (statement: Query) => {
      const { query: run, release } = await connect();
      return run(statement).finally(release);
    };
    return { connect, query } as unknown as SteppedPool;
  }

  /** Resolves when no statement runs: each has its answer, or waits for a lock. For `World`. */
  async settled(): Promise<void> {
    for (;;) {
      while (!(await this.areWaiting([...this.sent].filter(({ deliver }) => !deliver))));
      const answered = [...this.sent].filter(({ deliver }) => deliver);
      if (answered.length === 0) return;
      // In the order in which they were sent, so that a seed always gives the same run.
      for (const sent of answered) {
        this.sent.delete(sent);
        sent.deliver?.();
        await new Promise((resolve) => real.setImmediate(resolve));
      }
    }
  }

  private async areWaiting(running: readonly Sent[]): Promise<boolean> {
    if (running.length === 0) return true;
    const late = new Promise((resolve) => real.setTimeout(resolve, ANSWER_MS));
    await Promise.race([late, Promise.all(running.map(({ ended }) => ended))]);
    const rest = running.filter(({ deliver }) => !deliver);
    if (rest.length === 0) return true;
    const pids = rest.map(({ pid }) => pid);
    const { rows } = await this.plain.query<{ pid: number }>(WAITING, [pids]);
    const waiting = new Set(rows.map(({ pid }) => pid));
    return rest.every(({ pid, deliver }) => !deliver && waiting.has(pid));
  }

  /** Runs a statement when the seed wants it. */
  private async run(connection: Connection, query: Query, mayBreak: boolean) {
    const { world } = this;
    await world.step('statement');
    if (mayBreak && world.chance(BREAKS)) throw new BrokenConnectionError();
    const answer = await this.send(connection, query);
    if (mayBreak && world.chance(BREAKS)) throw new BrokenConnectionError();
    return answer;
  }

  private async tell(connection: Connection): Promise<void> {
    const { now } = this.world;
    if (connection.now === now) return;
    connection.now = now;
    const text = `SELECT set_config('simulation.now', $1, false)`;
    await this.send(connection, { text, values: [new Date(now).toISOString()] });
  }

  private send({ client, pid }: Connection, query: Query): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const ended = client.query(query).then(
        (answer) => {
          sent.deliver = () => resolve(answer);
        },
        (error: Error) => {
          sent.deliver = () => reject(error);
        },
      );
      const sent: Sent = { pid, ended };
      this.sent.add(sent);
    });
  }
}
