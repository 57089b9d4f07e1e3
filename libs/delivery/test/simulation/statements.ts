/**
 * The statements of lanes, of the log and of replays on the store of the simulation. Each does what the SQL
 * of the same name does: `store-model.slow.int-spec.ts` compares both.
 */
import { endpointStatements } from '../../src/endpoints/endpoint.sql.js';
import { laneStatements } from '../../src/lane/lane.sql.js';
import { eventLogStatements } from '../../src/log/event-log.sql.js';
import { type EndpointRow, type EventRow, Row, type Store, type Transaction } from './store.js';

/** A statement: its rows, with the values that the driver would return. */
type Model = (
  transaction: Transaction,
  store: Store,
  values: never,
) => Promise<object[]> | object[];

type Ids = readonly string[];

const DAY_MS = 86_400_000;
const OPEN_REPLAYS_MAX = 100;
const never = Infinity;

const isLive = ({ state }: EndpointRow) => state !== 'stopped';
const timeOf = (ms: number | null) => (ms === null || !isFinite(ms) ? null : new Date(ms));

const byId = (store: Store, id: string) => store.endpoints.find(({ value }) => value.id === id);

/** The size that an event says it has, so that a claim can be cut short without large events. */
const bytesOf = ({ data }: EventRow): number =>
  (JSON.parse(data) as { bytes?: number }).bytes ?? Buffer.byteLength(data);

/** `events_in_order`, cut where the bytes are too many. */
function readInOrder(
  events: readonly EventRow[],
  [sourceId, after, upTo]: readonly [string, number, number],
  since: number,
  { types, most, bytesMax }: { types: Ids | null; most: number; bytesMax: number },
): { read: EventRow[]; hasMore: boolean } {
  const next = events
    .filter((event) => event.sourceId === sourceId && event.createdAt >= since)
    .filter(
      ({ sequence, type }) =>
        sequence > after && sequence <= upTo && (types?.includes(type) ?? true),
    )
    .slice(0, most);
  let bytes = 0;
  const read = next.filter((event, index) => {
    bytes += bytesOf(event);
    return index === 0 || bytes <= bytesMax;
  });
  return { read, hasMore: next.length === most || read.length < next.length };
}

const rowOf = ({ sequence, createdAt, data, ...event }: EventRow) => ({
  ...event,
  sequence: String(sequence),
  data: JSON.parse(data) as object,
  previous: null,
  traceparent: null,
  createdAt: new Date(createdAt),
});

const runnable = (store: Store, sourceIds: Ids, now: number) =>
  store.endpoints
    .map(({ value }) => value)
    .filter((e) => sourceIds.includes(e.sourceId) && isLive(e) && e.nextAttemptAt <= now)
    .map(({ id, sourceId }) => ({ id, sourceId }));

/** Arrays with an element for each attempt, as `columnsOf` makes them, into rows. */
function logAttempts(
  { effects }: Transaction,
  store: Store,
  endpointId: string,
  [eventIds, , statusCodes]: readonly [Ids, unknown, readonly (number | null)[]],
  isIncluded: (index: number) => boolean = () => true,
): void {
  effects.push(() => {
    const rows = eventIds.map((eventId, index) => {
      const statusCode = statusCodes[index] ?? null;
      return { endpointId, eventId, statusCode };
    });
    store.attempts.push(...rows.filter((_, index) => isIncluded(index)));
  });
}

/** The endpoint of a run that holds its lease, locked. */
async function lockHeld(
  transaction: Transaction,
  store: Store,
  [id, , run]: readonly [string, string, string],
): Promise<Row<EndpointRow> | undefined> {
  const row = byId(store, id);
  if (row?.value.leasedBy !== run) return undefined;
  await transaction.lock(row);
  transaction.runs.set(row, run);
  return transaction.see(row).leasedBy === run ? row : undefined;
}

const claim: Model = async (transaction, store, values) => {
  const [ids, , runs, seconds, most, bytesMax, waits] = values as unknown as [
    Ids,
    Ids,
    Ids,
    number,
    number,
    number,
    boolean,
  ];
  const { now } = transaction;
  const ofSources = new Map(
    store.endpoints.map(({ value: { sourceId } }) => [sourceId, runnable(store, [sourceId], now)]),
  );
  const first = byId(store, ids[0] ?? '');
  if (waits && first) await transaction.lock(first);
  const found: object[] = [];
  for (const [index, id] of ids.entries()) {
    const row = byId(store, id);
    const run = runs[index] as string;
    if (!row || ids.indexOf(id) !== index) continue;
    const isFree = ({ leasedBy, leasedUntil }: EndpointRow) =>
      leasedBy === null || leasedBy === run || (leasedUntil ?? never) < now;
    if (!isFree(row.value) || !transaction.tryLock(row)) continue;
    const lane = transaction.see(row);
    const isDue = isLive(lane) && lane.nextAttemptAt <= now;
    const newest = store.sequence;
    const horizon = await store.horizon(lane.sourceId);
    await store.world.step('read');
    const range = [lane.sourceId, lane.cursor, horizon] as const;
    const limits = { types: lane.types, most, bytesMax };
    const { read, hasMore } = readInOrder(store.events, range, lane.cursorAt - DAY_MS, limits);
    const events = isDue ? read : [];
    const isLeased = isDue && (events.length > 0 || lane.openReplays > 0);
    if (isLeased) {
      transaction.change(row, { leasedBy: run, leasedUntil: now + seconds * 1_000 });
    } else if (lane.leasedBy !== null || (isDue && lane.types !== null && horizon > lane.cursor)) {
      const cursor = isDue && lane.types !== null ? Math.max(lane.cursor, horizon) : lane.cursor;
      transaction.change(row, { leasedBy: null, leasedUntil: null, cursor });
    }
    const claimed = {
      ...lane,
      url: `https://${id}.example.com`,
      secretSealed: null,
      headersSealed: null,
      previousSecretSealed: null,
      logsAttempts: false,
      enabled: isLive(lane),
      failingSince: timeOf(lane.failingSince),
      lastSuccessAt: timeOf(lane.lastSuccessAt),
      nextAttemptAt: timeOf(lane.nextAttemptAt),
      isWaiting: lane.nextAttemptAt > now,
      cursor: String(lane.cursor),
      cursorAt: new Date(lane.cursorAt),
      runId: run,
      isLeased,
      horizon: String(horizon),
      isBlocked: isDue && horizon < newest,
      hasMore: isDue && hasMore,
      events: events.length > 0 ? events.map(rowOf) : null,
      source: null,
      ofSource: (ofSources.get(lane.sourceId) ?? []).map((endpoint) => endpoint.id),
    };
    found.push({ claim: JSON.parse(JSON.stringify(claimed)) as object });
  }
  return found;
};

const record =
  (waits: boolean): Model =>
  async (transaction, store, values) => {
    const [ids, , runs, cursors, times, releases, positions, ...columns] = values as unknown as [
      Ids,
      Ids,
      Ids,
      Ids,
      readonly Date[],
      readonly boolean[],
      readonly number[],
      Ids,
      unknown,
      readonly (number | null)[],
    ];
    const recorded: object[] = [];
    for (const [index, id] of ids.entries()) {
      const row = byId(store, id);
      const run = runs[index] as string;
      if (row?.value.leasedBy !== run) continue;
      if (waits) await transaction.lock(row);
      else if (!transaction.tryLock(row)) continue;
      const lane = transaction.see(row);
      if (lane.leasedBy !== run) continue;
      transaction.runs.set(row, run);
      transaction.change(row, {
        cursor: Math.max(lane.cursor, Number(cursors[index])),
        cursorAt: times[index]?.getTime() ?? 0,
        refusals: 0,
        lastSuccessAt: transaction.now,
        ...(releases[index] && { leasedBy: null, leasedUntil: null }),
      });
      logAttempts(transaction, store, id, columns, (at) => positions[at] === index + 1);
      recorded.push({ position: index + 1 });
    }
    return recorded;
  };

const lanes: Record<keyof ReturnType<typeof laneStatements>, Model> = {
  claim,
  record: record(false),
  recordOne: record(true),

  renew: (transaction, store, [ids, , runs, seconds]: [Ids, Ids, Ids, number]) => {
    const held = ids.map((id, index) => [byId(store, id), runs[index]] as const);
    const lost = held.filter(([row, run]) => row?.value.leasedBy !== run);
    for (const [row, run] of held) {
      if (row?.value.leasedBy !== run || !row || !transaction.tryLock(row)) continue;
      transaction.change(row, { leasedUntil: transaction.now + Number(seconds) * 1_000 });
    }
    return lost.map(([, runId]) => ({ runId }));
  },

  release: async (transaction, store, values) => {
    const row = await lockHeld(transaction, store, values);
    if (row) transaction.change(row, { leasedBy: null, leasedUntil: null });
    return [];
  },

  replayed: (_, { events }, values) => {
    const [sourceId, after, since, until, most, bytesMax, types] = values as unknown as [
      string,
      string,
      Date,
      string,
      number,
      number,
      Ids | null,
    ];
    const range = [sourceId, Number(after), Number(until)] as const;
    const limits = { types, most, bytesMax };
    return readInOrder(events, range, since.getTime() - DAY_MS, limits).read.map(rowOf);
  },

  replay: (_, { replays }, [id]: [string]) => {
    const open = replays.find(({ value }) => value.endpointId === id)?.value;
    if (!open) return [];
    const { id: replayId, cursor, cursorAt, until, types, refusals } = open;
    const texts = { cursor: String(cursor), cursorAt: new Date(cursorAt), until: String(until) };
    return [{ replayId, ...texts, types, refusals }];
  },

  skip: async (transaction, store, [id, , sequence, at]: [string, string, string, Date]) => {
    const row = byId(store, id);
    if (!row) return [];
    await transaction.lock(row);
    const cursor = Math.max(transaction.see(row).cursor, Number(sequence));
    transaction.change(row, { cursor, cursorAt: at.getTime(), refusals: 0 });
    return [];
  },
  skipInReplay: async (
    transaction,
    store,
    [id, , sequence, at]: [string, string, string, Date],
  ) => {
    const row = store.replays.find(({ value }) => value.id === id);
    if (!row) return [];
    await transaction.lock(row);
    const cursorAt = at.getTime();
    transaction.change(row, { cursor: Number(sequence), cursorAt, refusals: 0 });
    return [];
  },

  advanceReplay: async (transaction, store, values) => {
    const [id, , , cursor, cursorAt, ...columns] = values as unknown as [
      string,
      string,
      string,
      string,
      Date,
      Ids,
      unknown,
      readonly (number | null)[],
    ];
    const held = await lockHeld(transaction, store, values);
    if (!held) return [];
    transaction.change(held, { lastSuccessAt: transaction.now });
    const replay = store.replays.find(
      ({ value }) => value.id === (values as unknown[])[13] && value.endpointId === id,
    );
    if (replay) {
      await transaction.lock(replay);
      const position = { cursor: Number(cursor), cursorAt: cursorAt.getTime(), refusals: 0 };
      transaction.change(replay, position);
    }
    transaction.effects.push(() => {
      store.parked = store.parked.filter(
        ({ endpointId, eventId }) => endpointId !== id || !columns[0].includes(eventId),
      );
    });
    logAttempts(transaction, store, id, columns);
    return [{ id }];
  },

  logAttempts: async (transaction, store, values) => {
    const [id, , , ...columns] = values as unknown as [
      string,
      string,
      string,
      Ids,
      unknown,
      readonly (number | null)[],
    ];
    const row = await lockHeld(transaction, store, values);
    if (!row) return [];
    logAttempts(transaction, store, id, columns);
    return [{ id }];
  },

  countRefusal: async (transaction, store, [id, , refusals]: [string, string, number]) => {
    const row = byId(store, id);
    if (!row) return [];
    await transaction.lock(row);
    transaction.change(row, { refusals });
    return [];
  },
  countReplayRefusal: async (transaction, store, [id, , refusals]: [string, string, number]) => {
    const row = store.replays.find(({ value }) => value.id === id);
    if (!row) return [];
    await transaction.lock(row);
    transaction.change(row, { refusals });
    return [];
  },

  setHealth: async (transaction, store, values) => {
    const [id, , revision, state, reason, failures, seconds] = values as unknown as [
      string,
      string,
      number,
      string,
      string | null,
      number,
      number,
    ];
    const row = byId(store, id);
    if (!row) return [];
    await transaction.lock(row);
    const former = transaction.see(row);
    if (former.revision !== revision) return [];
    const failingSince = state === 'healthy' ? null : (former.failingSince ?? transaction.now);
    const nextAttemptAt = transaction.now + seconds * 1_000;
    transaction.change(row, { state, reason, failures, failingSince, nextAttemptAt });
    return [{ isNew: former.state !== state, failingSince: timeOf(failingSince) }];
  },

  park: (
    { effects },
    store,
    [endpointId, , sequence, eventId, , attempts]: [string, string, string, string, string, number],
  ) => {
    effects.push(() => {
      const others = store.parked.filter(
        (one) => one.endpointId !== endpointId || one.sequence !== Number(sequence),
      );
      store.parked = [...others, { endpointId, sequence: Number(sequence), eventId, attempts }];
    });
    return [];
  },

  closeReplay: async (transaction, store, [id, , replayId]: [string, string, string]) => {
    const replay = store.replays.find(({ value }) => value.id === replayId);
    const row = byId(store, id);
    if (!replay || !row) return [];
    await transaction.lock(replay);
    if (!store.replays.includes(replay)) return [];
    transaction.effects.push(() => {
      store.replays = store.replays.filter((one) => one !== replay);
    });
    await transaction.lock(row);
    const { openReplays } = transaction.see(row);
    transaction.change(row, { openReplays: Math.max(0, openReplays - 1) });
    return [];
  },

  ofSources: ({ now }, store, [sourceIds]: [Ids]) => runnable(store, sourceIds, now),

  sweep: async ({ now }, store, [most]: [number]) => {
    const { position } = store.dispatch.value;
    const due = store.endpoints
      .map(({ value }) => value)
      .filter((e) => (e.wanted > e.cursor || e.openReplays > 0) && e.nextAttemptAt <= now)
      .filter((e) => (e.leasedUntil === null || e.leasedUntil < now) && isLive(e))
      .sort((a, b) => (a.nextAttemptAt < b.nextAttemptAt ? -1 : 1))
      .slice(0, most)
      .map(({ sourceId }) => sourceId);
    const horizon = await store.horizon(null);
    return [{ position: String(position), horizon: String(horizon), due }];
  },

  mark: async (transaction, store, [horizon, most]: [string, number]) => {
    const { dispatch } = store;
    const snapshot = [...store.events];
    if (dispatch.value.position >= Number(horizon) || !transaction.tryLock(dispatch)) return [];
    const { position } = dispatch.value;
    const until = Math.min(position + most, Number(horizon));
    await store.world.step('swept');
    for (const row of store.endpoints) {
      const newest = snapshot
        .filter(({ sourceId, sequence }) => sourceId === row.value.sourceId && sequence > position)
        .findLast(({ sequence }) => sequence <= until)?.sequence;
      const isBehind = (e: EndpointRow) =>
        newest !== undefined && e.wanted < newest && e.cursor < newest;
      if (!isBehind(row.value)) continue;
      await transaction.lock(row);
      if (isBehind(transaction.see(row))) transaction.change(row, { wanted: newest });
    }
    transaction.change(dispatch, { position: until });
    return [{ isPart: until < Number(horizon) }];
  },

  backlog: () => [],
};

const log: Partial<Record<keyof ReturnType<typeof eventLogStatements>, Model>> = {
  insertOne: async (transaction, _, [sourceId, type, data]: [string, string, string]) => [
    rowOf(await transaction.log({ sourceId, type, data })),
  ],

  horizon: async (_, store, [sourceId]: [string | null]) => [
    { horizon: String(await store.horizon(sourceId)), newest: String(store.sequence) },
  ],

  list: (_, { events }, [sourceId, after, horizon, most]: [string, string, string, number]) => {
    const range = [sourceId, Number(after), Number(horizon)] as const;
    const limits = { types: null, most: most, bytesMax: Infinity };
    return readInOrder(events, range, -Infinity, limits).read.map(rowOf);
  },
};

const endpoints: Partial<Record<keyof ReturnType<typeof endpointStatements>, Model>> = {
  resume: async (transaction, store, [id]: [string]) => {
    const row = byId(store, id);
    if (!row) return [];
    await transaction.lock(row);
    const { revision } = transaction.see(row);
    const healthy = { state: 'healthy', reason: null, failures: 0, failingSince: null };
    const next = { nextAttemptAt: -Infinity, refusals: 0, revision: revision + 1 };
    transaction.change(row, { ...healthy, ...next });
    return [];
  },

  pause: async (transaction, store, [id, , reason]: [string, string, string]) => {
    const row = byId(store, id);
    if (!row || row.value.state === 'stopped') return [];
    await transaction.lock(row);
    const { revision, failingSince, state } = transaction.see(row);
    if (state === 'stopped') return [];
    const since = failingSince ?? transaction.now;
    const paused = { state: 'paused', reason, failingSince: since, nextAttemptAt: Infinity };
    transaction.change(row, { ...paused, revision: revision + 1 });
    return [];
  },

  replay: async (transaction, store, values) => {
    const [sourceIds, after, until, types] = values as unknown as [
      Ids | null,
      string,
      string,
      Ids | null,
    ];
    const targets: object[] = [];
    for (const row of store.endpoints) {
      const { sourceId } = row.value;
      if (!(sourceIds?.includes(sourceId) ?? true) || !isLive(row.value)) continue;
      await transaction.lock(row);
      const { id, cursor, openReplays, types: own } = transaction.see(row);
      const isFull = openReplays >= OPEN_REPLAYS_MAX;
      targets.push({ endpointId: id, sourceId, isFull });
      const position = { after: Number(after), until: Math.min(Number(until), cursor) };
      const same = ({ value }: { value: { after: number; until: number; endpointId: string } }) =>
        value.endpointId === id && value.after === position.after && value.until === position.until;
      if (cursor <= position.after || isFull || store.replays.some(same)) continue;
      const first = store.events.find(
        (event) => event.sourceId === sourceId && event.sequence > position.after,
      );
      const start = { cursor: position.after, cursorAt: first?.createdAt ?? transaction.now };
      const ofEndpoint = { id: store.newId(), sourceId, endpointId: id };
      const replay = {
        ...ofEndpoint,
        ...position,
        ...start,
        types: types ? [...types] : own,
        refusals: 0,
      };
      transaction.effects.push(() => {
        store.replays.push(new Row(replay));
        store.started.push(replay);
      });
      transaction.change(row, { openReplays: openReplays + 1 });
    }
    return targets;
  },
};

/** What a statement does on the store, by its text. */
export function modelsOf(schema: string): Map<string, Model> {
  const pairs = [
    [laneStatements(schema), lanes],
    [eventLogStatements(schema), log],
    [endpointStatements(schema), endpoints],
  ] as const;
  return new Map(
    pairs.flatMap(([statements, models]) =>
      Object.entries(statements).flatMap(([name, { text }]) => {
        const model = (models as Record<string, Model | undefined>)[name];
        return model ? [[text, model] as const] : [];
      }),
    ),
  );
}
