// @ts-check
// Faults that the simulations have to find: each is one change of the code, or of the model of SQL or Redis that
// the code runs on, which `store-model.slow.int-spec.ts` and `counters.int-spec.ts` compare with the real ones.

/**
 * @typedef {object} Mutant
 * @property {string} title
 * @property {'order' | 'credits' | 'limits' | 'setup' | 'portal' | 'flows'} simulation
 * @property {string} file
 * @property {string} find occurs once in the file
 * @property {string} replace
 */

const LANE = 'libs/delivery/src/lane/lane.ts';
const REPOSITORY = 'libs/delivery/src/lane/lane.repository.ts';
const STORE = 'libs/delivery/test/simulation/store.ts';
const STATEMENTS = 'libs/delivery/test/simulation/statements.ts';

const LIMITER = 'apps/key-service/src/verification/limits/rate-limiter.ts';
const LEASES = 'apps/key-service/src/verification/limits/leases.ts';
const BUCKETS = 'libs/kit/src/exchange/local/local-counters.ts';
const SETUP_SQL = 'libs/setup/src/links/setup.sql.ts';
const PORTAL = 'apps/key-service/src/store/portal/portal.repository.ts';
const FLOWS = 'apps/identity-forms/src/flows/flows.repository.ts';
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
  {
    simulation: 'limits',
    title: 'Limits: calls under way may ask for one lease each',
    file: LEASES,
    find: `slice - lease.units - account.asked`,
    replace: `slice - lease.units`,
  },
  {
    simulation: 'limits',
    title: 'Limits: a lease is given back, and kept',
    file: LEASES,
    find: `const units = lease.end(nowMs, { isLast });`,
    replace: `const units = isLast || nowMs > leasedAtMs + 1000 ? lease.units : 0;`,
  },
  {
    simulation: 'limits',
    title: 'Limits: a lease has also what was spent at once',
    file: LIMITER,
    find: `    units: granted,`,
    replace: `    units: granted + 1,`,
  },
  {
    simulation: 'limits',
    title: 'Limits: a process that stops goes on leasing',
    file: LEASES,
    find: `this.isClosed ||= isLast;`,
    replace: ``,
  },
  {
    simulation: 'limits',
    title: 'Limits: what Redis does not count is admitted, whatever the limit says',
    file: LIMITER,
    find: `bucket.isDenying && cost > 0`,
    replace: `bucket.isDenying && cost > 1`,
  },
  {
    simulation: 'limits',
    title: 'Limits: a refusal is repeated for as long as the answer says',
    file: LIMITER,
    find: `Math.min(REFUSAL_MS_MAX, ...waits)`,
    replace: `Math.max(REFUSAL_MS_MAX, ...waits)`,
  },
  {
    simulation: 'limits',
    title: 'Limits: a Redis that timed out is not asked again',
    file: 'libs/kit/src/exchange/redis/bounded-commands.ts',
    find: `      this.isUnresponsive = false;
`,
    replace: ``,
  },
  {
    simulation: 'limits',
    title: 'Redis: what is charged in advance is not counted',
    file: BUCKETS,
    find: `paidMicros + granted * unitMicros`,
    replace: `paidMicros + 0 * granted`,
  },
  {
    simulation: 'setup',
    title: 'Setup links: opening does not lock the link',
    file: SETUP_SQL,
    find: `WHERE \${CAN_BE_OPENED} FOR UPDATE OF l\``,
    replace: `WHERE \${CAN_BE_OPENED}\``,
  },
  {
    simulation: 'setup',
    title: 'Setup links: the link is looked at before the transaction, and not in it',
    file: 'libs/setup/src/links/setup-sessions.ts',
    find: `await setups.lockOpenable(hashOf(secret), executor)`,
    replace: `known`,
  },
  {
    simulation: 'setup',
    title: 'Setup links: the first request does not end the time to open again',
    file: SETUP_SQL,
    find: `SET reopen_until = NULL`,
    replace: `SET reopen_until = l.reopen_until`,
  },
  {
    simulation: 'setup',
    title: 'Setup links: a request is let in with the session that was found before',
    file: 'libs/setup/src/links/setup.repository.ts',
    find: `return this.one(statements.ENTER_SESSION, [sessionSha256]);`,
    replace: `await this.one(statements.ENTER_SESSION, [sessionSha256]);
    return link;`,
  },
  {
    simulation: 'setup',
    title: 'Setup links: a second opening does not replace the first',
    file: SETUP_SQL,
    find: `SET session_sha256 = $2`,
    replace: `SET session_sha256 = coalesce(l.session_sha256, $2)`,
  },
  {
    simulation: 'portal',
    title: 'Portal: opening does not lock the session',
    file: PORTAL,
    find: `\`\${FIND_OPENABLE.text} FOR UPDATE\``,
    replace: `FIND_OPENABLE.text`,
  },
  {
    simulation: 'portal',
    title: 'Portal: the first request does not end the time to open again',
    file: PORTAL,
    find: `SET reopen_expire_time = NULL`,
    replace: `SET reopen_expire_time = reopen_expire_time`,
  },
  {
    simulation: 'portal',
    title: 'Portal: a request is let in with the session that was found before',
    file: PORTAL,
    find: `return this.one(this.sql, ENTER, [cookieSha256]);`,
    replace: `await this.one(this.sql, ENTER, [cookieSha256]);
    return session;`,
  },
  {
    simulation: 'portal',
    title: 'Portal: each opening begins the time to open again anew',
    file: PORTAL,
    find: `coalesce(reopen_expire_time, now() + interval '2 minutes')`,
    replace: `now() + interval '2 minutes'`,
  },
  {
    simulation: 'portal',
    title: 'Portal: a revoked session goes on',
    file: PORTAL,
    find: `const WORKS = 'revoke_time IS NULL AND expire_time > now()'`,
    replace: `const WORKS = 'expire_time > now()'`,
  },
  {
    simulation: 'flows',
    title: 'Flows: a flow is used without a look whether it was',
    file: FLOWS,
    find: `AND used_at IS NULL AND expires_at`,
    replace: `AND expires_at`,
  },
  {
    simulation: 'flows',
    title: 'Flows: a public sign-up that was stored already counts as used by this one',
    file: FLOWS,
    find: `return used.length > 0;`,
    replace: `return flow.isSealed ?? used.length > 0;`,
  },
  {
    simulation: 'flows',
    title: 'Flows: a flow is used outside of the transaction',
    file: 'apps/identity-forms/src/flows/flows.service.ts',
    find: `await this.flows.use(sql, flow, identityId)`,
    replace: `await this.flows.use(this.sql, flow, identityId)`,
  },
  {
    simulation: 'flows',
    title: 'Flows: a second browser takes over',
    file: FLOWS,
    find: `(browser_digest IS NULL OR browser_digest = $2)`,
    replace: `(true OR browser_digest = $2)`,
  },
];
