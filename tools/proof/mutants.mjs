// @ts-check
// Faults that the simulation has to find: each is one change of the code of delivery, or, where the code is
// SQL, of the model of that SQL, which `store-model.slow.int-spec.ts` compares with PostgreSQL.

/**
 * @typedef {object} Mutant
 * @property {string} title
 * @property {'order' | 'credits'} simulation
 * @property {string} file
 * @property {string} find occurs once in the file
 * @property {string} replace
 */

const LANE = 'libs/delivery/src/lane/lane.ts';
const REPOSITORY = 'libs/delivery/src/lane/lane.repository.ts';
const STORE = 'libs/delivery/test/simulation/store.ts';
const STATEMENTS = 'libs/delivery/test/simulation/statements.ts';

const ACCOUNT = 'apps/key-service/src/store/credits/credit-account.ts';

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  {
    simulation: 'order',
    title: 'The cursor moves before the event is sent',
    file: LANE,
    find: `      const sent = await this.send(endpoint, part`,
    replace: `      const next = part.at(-1) as PendingEvent;
      await recorder.add({ cursor: next.sequence, cursorAt: next.createdAt, attempts: [] });
      await recorder.settle();
      const sent = await this.send(endpoint, part`,
  },
  {
    simulation: 'order',
    title: 'Leases have no owner: all runs have the same id',
    file: 'libs/delivery/src/delivery.ts',
    find: `new Lane(endpoint, randomUUID(), dependencies)`,
    replace: `new Lane(endpoint, randomUUID().replace(/./g, '0'), dependencies)`,
  },
  {
    simulation: 'order',
    title: 'A record that finds the lease lost counts as written',
    file: 'libs/delivery/src/lane/recorder.ts',
    find: `this.hasLost = !(await this.write({ ...last, attempts, releases }));`,
    replace: `await this.write({ ...last, attempts, releases });`,
  },
  {
    simulation: 'order',
    title: 'A record that skips a locked row counts as written',
    file: REPOSITORY,
    find: `recorded.has(index + 1) ? true : undefined`,
    replace: `recorded.has(index + 1) || !isAlone ? true : undefined`,
  },
  {
    simulation: 'order',
    title: 'The cursor goes to the horizon although a claim was cut short',
    file: LANE,
    find: `const isLast = !claim.hasMore && !claim.isBlocked`,
    replace: `const isLast = !claim.isBlocked`,
  },
  {
    simulation: 'order',
    title: 'The cursor goes to the end of a claim with its first event',
    file: LANE,
    find: `(isEnd ? end : null) ?? last.sequence`,
    replace: `end ?? events.at(-1)?.sequence ?? last.sequence`,
  },
  {
    simulation: 'order',
    title: 'A follower reads beyond the horizon',
    file: 'libs/delivery/src/log/event-log.ts',
    find: `this.sql.rows(this.statements.list, [sourceId, after, horizon, limit])`,
    replace: `this.sql.rows(this.statements.list, [sourceId, after, horizon + '0000', limit])`,
  },
  {
    simulation: 'order',
    title: 'An event is parked at its first refusal',
    file: 'libs/delivery/src/lane/failed-deliveries.ts',
    find: `track.refusals < settings.eventAttempts && seconds`,
    replace: `track.refusals < 0 && seconds`,
  },
  {
    simulation: 'order',
    title: 'A replay is closed before its events are sent',
    file: LANE,
    find: `    const step = await this.deliver(endpoint, replay, events, null, signal);`,
    replace: `    await lanes.closeReplay(endpoint, replay.replayId);
    const step = await this.deliver(endpoint, replay, events, null, signal);`,
  },
  {
    simulation: 'order',
    title: 'The sweep reads nothing, and trusts that no wake-up is lost',
    file: REPOSITORY,
    find: `BigInt(swept.position) < BigInt(swept.horizon)`,
    replace: `BigInt(swept.position) > BigInt(swept.horizon)`,
  },
  {
    simulation: 'order',
    title: 'The lease is given back before the last deliveries are recorded',
    file: LANE,
    find: `      await recorder.settle();
      if (recorder.hasReleased)`,
    replace: `      await this.release();
      await recorder.settle();
      if (recorder.hasReleased)`,
  },
  {
    simulation: 'order',
    title: 'SQL: a writer draws its number before it announces itself',
    file: STORE,
    find: `    const number = store.sequence;
    await store.world.step('announce');
    const announcement = { sourceId: event.sourceId, number };
    store.announced.add(announcement);
    this.announcements.push(announcement);
    await store.world.step('draw');
    const sequence = (store.sequence += 1);`,
    replace: `    const sequence = (store.sequence += 1);
    await store.world.step('draw');
    const announcement = { sourceId: event.sourceId, number: sequence - 1 };
    store.announced.add(announcement);
    this.announcements.push(announcement);`,
  },
  {
    simulation: 'order',
    title: 'SQL: a record has no fence',
    file: STATEMENTS,
    find: `      if (row?.value.leasedBy !== run) continue;
      if (waits) await transaction.lock(row);
      else if (!transaction.tryLock(row)) continue;
      const lane = transaction.see(row);
      if (lane.leasedBy !== run) continue;`,
    replace: `      if (!row) continue;
      if (waits) await transaction.lock(row);
      else if (!transaction.tryLock(row)) continue;
      const lane = transaction.see(row);`,
  },
  {
    simulation: 'order',
    title: 'SQL: the events of a claim are read before the horizon',
    file: STATEMENTS,
    find: `    const horizon = await store.horizon(lane.sourceId);
    await store.world.step('read');
    const range = [lane.sourceId, lane.cursor, horizon] as const;
    const limits = { types: lane.types, most, bytesMax };
    const { read, hasMore } = readInOrder(store.events,`,
    replace: `    const events0 = [...store.events];
    await store.world.step('read');
    const horizon = await store.horizon(lane.sourceId);
    const range = [lane.sourceId, lane.cursor, horizon] as const;
    const limits = { types: lane.types, most, bytesMax };
    const { read, hasMore } = readInOrder(events0,`,
  },
  {
    simulation: 'order',
    title: 'SQL: the horizon is the newest number',
    file: STORE,
    find: `return Math.min(newest, ...numbers);`,
    replace: `return Math.max(newest, ...numbers);`,
  },
  {
    simulation: 'credits',
    title: 'Credits: what a lease spends stays in it',
    file: 'apps/key-service/src/store/leases/lease.ts',
    find: `this.held -= units;`,
    replace: `this.held -= units - 1;`,
  },
  {
    simulation: 'credits',
    title: 'Credits: a lease has also what was spent at once',
    file: ACCOUNT,
    find: `this.lease.add(balance.granted - cost, takenAtMs);`,
    replace: `this.lease.add(balance.granted, takenAtMs);`,
  },
  {
    simulation: 'credits',
    title: 'Credits: a lease is given back, and kept',
    file: 'apps/key-service/src/store/leases/lease.ts',
    find: `    this.held = 0;
    return left;`,
    replace: `    this.held = isLast ? 0 : left;
    return left;`,
  },
  {
    simulation: 'credits',
    title: 'Credits: a verification without an answer is admitted',
    file: ACCOUNT,
    find: `for (const each of admissible) each.reject(error);`,
    replace: `for (const each of admissible) each.resolve(this.outcome(error !== null));`,
  },
  {
    simulation: 'credits',
    title: 'Credits: a lease that has expired is dropped',
    file: ACCOUNT,
    find: `if (units > 0 && balance) this.onUnspent`,
    replace: `if (units > 0 && balance && isLast) this.onUnspent`,
  },
];
