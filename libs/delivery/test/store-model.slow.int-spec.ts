/**
 * The store of the simulation does what PostgreSQL does: the same random script runs on both, and every answer
 * is compared. The same comparison finds a clause that is missing in the SQL.
 */
import { randomUUID } from 'node:crypto';
import { type Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import fc from 'fast-check';
import { addLaneClaims, Endpoints, EventLog, eventLogStatements } from '../src/index.js';
import { LaneRepository } from '../src/lane/lane.repository.js';
import { SCHEMA, useDelivery } from './fixture.js';
import { Session } from './simulation/session.js';
import { Row, Store } from './simulation/store.js';
import { type World } from '@gatehouse/testing/simulation';

const fixture = useDelivery();

const TYPES = ['parcel.sent', 'parcel.lost'];
const RUNS = [randomUUID(), randomUUID()] as const;
const ENDPOINTS = 2;
const SCRIPTS = 30;
const MUTANT_SCRIPTS = 100;

/** Fields of a claim that have the same value on both sides. */
const COMPARED = [
  'isLeased',
  'isWaiting',
  'enabled',
  'horizon',
  'isBlocked',
  'hasMore',
  'cursor',
  'refusals',
  'state',
  'reason',
  'failures',
  'revision',
  'openReplays',
  'runId',
] as const;

/** One step of a script; `n` and `m` mean what the step makes of them. */
const step = fc.record({
  act: fc.constantFrom(
    'log',
    'log',
    'open',
    'end',
    'claim',
    'claim',
    'claim',
    'claim',
    'claimBoth',
    'record',
    'record',
    'record',
    'record',
    'fail',
    'park',
    'recover',
    'renew',
    'release',
    'expire',
    'replay',
    'advance',
    'close',
    'sweep',
    'runnable',
    'list',
    'pause',
    'resume',
  ),
  n: fc.nat(7),
  m: fc.nat(7),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a script acts on: real tables, or the store of the simulation. */
interface Side {
  sql: Sql;
  /** Ends all leases, and all pauses. */
  expire: () => Promise<void>;
}

/** A side while a script runs. */
class Player {
  private readonly lanes: LaneRepository;
  private readonly log: EventLog;
  private readonly endpoints = new Endpoints(SCHEMA);
  private readonly claims = new Map<number, Awaited<ReturnType<LaneRepository['claim']>>>();
  private open: { end: (commits: boolean) => void; ended: Promise<unknown> } | undefined;

  constructor(
    private readonly side: Side,
    private readonly sourceId: string,
    private readonly ids: readonly string[],
    private readonly start: number,
  ) {
    this.lanes = new LaneRepository(side.sql, SCHEMA);
    this.log = new EventLog(side.sql, SCHEMA);
  }

  async play({ act, n, m }: Step): Promise<unknown> {
    const { lanes, side, sourceId } = this;
    const at = n % ENDPOINTS;
    const key = { id: this.ids[at] as string, sourceId };
    const run = RUNS[m % RUNS.length] as string;
    const claim = this.claims.get(at);
    const { insertOne } = eventLogStatements(SCHEMA);
    const event = [sourceId, TYPES[n % 2], '{}'];
    const cursor = String(this.start + m);
    switch (act) {
      case 'log':
        return (await side.sql.rows(insertOne, event)).length;
      case 'open':
        return this.openTransaction(event);
      case 'end':
        return this.endTransaction(n % 2 === 0);
      case 'claim':
        return this.claim(at, key, run);
      case 'claimBoth':
        return Promise.all(this.ids.map((id, index) => this.claim(index, { id, sourceId }, run)));
      case 'record': {
        const position = { cursor, cursorAt: new Date(), attempts: [], releases: n === 7 };
        const runId = n % 4 === 0 ? run : (claim?.runId ?? run);
        return lanes.record({ endpoint: key, runId, replayId: null, ...position });
      }
      case 'fail': {
        if (!claim) return 'no claim';
        const health = {
          state: 'failing',
          reason: 'down',
          failures: m,
          nextAttemptAt: null,
        } as const;
        return lanes.recordFailure(claim, run, { replayId: null, refusals: m }, [], health);
      }
      case 'park': {
        const [first] = claim?.events ?? [];
        if (!claim || !first) return 'no claim';
        const parked = { event: first, reason: '', attempts: m };
        const attempt = { url: '', at: new Date(), statusCode: 422, durationMs: 0, error: null };
        const logged = { ...attempt, payload: null, response: null, eventId: first.id };
        return lanes.park(claim, run, { replayId: null }, parked, logged);
      }
      case 'recover':
        return claim ? lanes.recover(claim) : 'no claim';
      case 'renew':
        return lanes.renew([key], [run]);
      case 'release':
        return lanes.release(key, run);
      case 'expire':
        return side.expire();
      case 'replay': {
        const range = { after: cursor, until: String(this.start + n + m), types: null };
        const started = await this.endpoints.replay(side.sql, [sourceId], range);
        return started.map(({ endpointId }) => endpointId).sort();
      }
      case 'advance': {
        const replay = await lanes.openReplay(key);
        if (!replay) return 'no replay';
        const events = await lanes.replayed(sourceId, replay);
        const position = { cursor: events.at(-1)?.sequence ?? replay.cursor, cursorAt: new Date() };
        const to = { endpoint: key, runId: run, replayId: replay.replayId, ...position };
        const isHeld = await lanes.record({ ...to, attempts: [], releases: false });
        return [replay.cursor, replay.until, numbersOf(events), isHeld];
      }
      case 'close': {
        const replay = await lanes.openReplay(key);
        return replay ? lanes.closeReplay(key, replay.replayId) : 'no replay';
      }
      case 'sweep':
        return lanes.sweep();
      case 'runnable':
        return (await lanes.endpointsOf(sourceId)).map(({ id }) => id).sort();
      case 'list':
        return numbersOf(await this.log.list(sourceId, cursor, 1 + n));
      case 'pause':
        return this.endpoints.pause(side.sql, key, 'paused');
      case 'resume':
        return this.endpoints.resume(side.sql, key);
    }
  }

  /** Ends what is open. */
  async end(): Promise<void> {
    await this.endTransaction(false);
  }

  private async claim(
    at: number,
    key: { id: string; sourceId: string },
    run: string,
  ): Promise<unknown> {
    const claim = await this.lanes.claim(key, run);
    if (!claim) return 'busy';
    this.claims.set(at, claim);
    const compared = COMPARED.map((field) => [field, claim[field]] as const);
    return [...compared, [...claim.ofSource].sort(), numbersOf(claim.events)];
  }

  /** Logs an event in a transaction that stays open. */
  private async openTransaction(event: readonly unknown[]): Promise<unknown> {
    if (this.open) return 'open';
    const { insertOne } = eventLogStatements(SCHEMA);
    let end: (commits: boolean) => void = () => undefined;
    const decision = new Promise<boolean>((resolve) => (end = resolve));
    let isLogged: () => void = () => undefined;
    const logged = new Promise<void>((resolve) => (isLogged = resolve));
    const transaction = this.side.sql.transaction(async (sql) => {
      await sql.rows(insertOne, event);
      isLogged();
      if (!(await decision)) throw new Error('rolled back');
    });
    this.open = { end, ended: transaction.catch(() => undefined) };
    await logged;
    return 'opened';
  }

  private async endTransaction(commits: boolean): Promise<unknown> {
    const { open } = this;
    this.open = undefined;
    open?.end(commits);
    return open?.ended;
  }
}

const numbersOf = (events: readonly { sequence: string; type: string }[]) =>
  events.map(({ sequence, type }) => `${sequence} ${type}`);

/** Runs a script on both sides. @returns where their answers first differ; undefined if they do not */
async function compare(script: readonly Step[], sqlOfSide: (sql: Sql) => Sql): Promise<unknown> {
  const { database, sql, endpoints } = fixture;
  await database.query(`DELETE FROM ${SCHEMA}.endpoints`);
  const [row] = await database.query<{ newest: string }>(
    `UPDATE ${SCHEMA}.dispatch SET position = nextval('${SCHEMA}.event_sequence') RETURNING position AS newest`,
  );
  const start = Number(row?.newest);
  const sourceId = randomUUID();
  const ids = Array.from({ length: ENDPOINTS }, () => randomUUID());
  const store = new Store({
    step: () => Promise.resolve(),
    get now() {
      return Date.now();
    },
  });
  store.sequence = start;
  store.dispatch.value = { position: start };
  for (const [index, id] of ids.entries()) {
    const types = index === 0 ? null : ['parcel.lost'];
    const settings = { url: 'https://example.com', secretSealed: null, headersSealed: null };
    const flags = { logsAttempts: false, onPoison: 'park', enabled: true } as const;
    await endpoints.insert(sql, id, sourceId, { types, ...settings, ...flags });
    const health = { state: 'healthy', reason: null, revision: 1, failures: 0, failingSince: null };
    const lease = { leasedBy: null, leasedUntil: null, openReplays: 0, wanted: 0, refusals: 0 };
    const position = { cursor: start, cursorAt: Date.now(), nextAttemptAt: -Infinity };
    const row = { id, sourceId, types, onPoison: 'park', lastSuccessAt: null };
    store.endpoints.push(new Row({ ...row, ...health, ...lease, ...position }));
  }
  const world = { step: () => Promise.resolve(), process: undefined } as unknown as World;
  const session = new Session(world, store, { isDead: false }, () => false);
  const real = {
    sql: sqlOfSide(sql),
    expire: async () => {
      await database.query(`UPDATE ${SCHEMA}.endpoints SET next_attempt_at = '-infinity',
        leased_until = CASE WHEN leased_by IS NOT NULL THEN now() - interval '1 second' END`);
    },
  };
  const modeled = {
    sql: session.sql,
    expire: () => {
      for (const row of store.endpoints) {
        const leasedUntil = row.value.leasedBy === null ? null : 0;
        row.value = { ...row.value, nextAttemptAt: -Infinity, leasedUntil };
      }
      return Promise.resolve();
    },
  };
  const players = [real, modeled].map((side) => new Player(side, sourceId, ids, start));
  try {
    for (const [index, one] of script.entries()) {
      const answers: string[] = [];
      for (const player of players) answers.push(JSON.stringify(await player.play(one)) ?? '');
      const [postgres, model] = answers;
      if (postgres !== model) return { index, ...one, postgres, model };
    }
  } finally {
    for (const player of players) await player.end();
  }
  return undefined;
}

const script = fc.array(step, { minLength: 10, maxLength: 40 });

it('answers as PostgreSQL does', async () => {
  const property = fc.asyncProperty(script, async (steps) => {
    expect(await compare(steps, (sql) => sql)).toBeUndefined();
  });
  await fc.assert(property, { numRuns: SCRIPTS });
});

describe('finds in the SQL', () => {
  /** The real side, with another text in its statements. */
  const without = (found: string | RegExp, replacement: string) => (sql: Sql) => {
    const changed = (inner: SqlExecutor): SqlExecutor => ({
      rows: (statement: Statement, values?: readonly unknown[]) =>
        inner.rows({ text: statement.text.replace(found, replacement) }, values),
    });
    const transaction: Sql['transaction'] = (work) =>
      sql.transaction((inner) => work(changed(inner)));
    return Object.assign(Object.create(sql) as Sql, changed(sql), { transaction });
  };

  const isFound = async (sqlOfSide: (sql: Sql) => Sql) => {
    for (const steps of fc.sample(script, { numRuns: MUTANT_SCRIPTS, seed: 7 })) {
      if ((await compare(steps, sqlOfSide)) !== undefined) return true;
    }
    return false;
  };

  it.each([
    ['a record without a fence', 'AND e.leased_by = g.run', ''],
    ['a release without an owner', 'AND leased_by = $3', 'AND $3::uuid IS NOT NULL'],
    [
      'a writer that does not announce itself',
      /pg_advisory_xact_lock_shared\(.*\)::text AS lock/s,
      `'' AS lock`,
    ],
  ])('%s', async (_, found, replacement) => {
    expect(await isFound(without(found, replacement))).toBe(true);
  });

  it('a claim that reads up to the newest number', async () => {
    const claims = (change: (text: string) => string) =>
      change(addLaneClaims(SCHEMA)[2] ?? '').replace(
        'CREATE FUNCTION',
        'CREATE OR REPLACE FUNCTION',
      );
    const horizon = `horizon := ${SCHEMA}.event_horizon(lane.source_id)`;
    await fixture.database.query(claims((text) => text.replace(horizon, 'horizon := newest')));
    expect(await isFound((sql) => sql)).toBe(true);
    await fixture.database.query(claims((text) => text));
  });
});
