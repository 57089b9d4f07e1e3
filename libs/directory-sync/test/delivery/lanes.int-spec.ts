import { randomBytes } from 'node:crypto';
import { OPERATIONS_SOURCE } from '@gatehouse/delivery';
import { eventually } from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';
import { openSync, patch, user } from '../harness.js';
import { useLaneFixture } from '../lane-fixture.js';

const fixture = useLaneFixture();

describe('two workers', () => {
  it('never deliver one lane concurrently, and lose no event', async () => {
    const directory = await fixture.directoryWith(40);
    let inFlight = 0;
    let mostAtOnce = 0;
    fixture.receiver.respond(() => {
      inFlight++;
      mostAtOnce = Math.max(mostAtOnce, inFlight);
      setTimeout(() => inFlight--, 5);
      return { delayMs: 5 };
    });
    const workers = [fixture.newDelivery(), fixture.newDelivery(), fixture.newDelivery()];
    const runs = await Promise.all(workers.map((worker) => worker.runLane(directory.id)));
    expect(runs.map(({ reason }) => reason).sort()).toEqual(['busy', 'busy', 'idle']);
    expect(mostAtOnce).toBe(1);
    expect(fixture.namesReceived()).toEqual(Array.from({ length: 40 }, (_, n) => `user-${n}`));
  });

  it('take over the lane of a dead worker after its lease expires', async () => {
    const directory = await fixture.directoryWith(1);
    await fixture.database.query(
      `UPDATE dsync.endpoints SET leased_by = gen_random_uuid(), leased_until = now() + interval '1 hour'
        WHERE id = $1`,
      [directory.id],
    );
    const delivery = fixture.newDelivery();
    expect(await delivery.runLane(directory.id)).toEqual({ reason: 'busy' });
    expect(await delivery.sweep()).not.toContain(directory.id);
    await fixture.database.query(
      `UPDATE dsync.endpoints SET leased_until = now() - interval '1 second' WHERE id = $1`,
      [directory.id],
    );
    expect(await delivery.sweep()).toContain(directory.id);
    expect(await delivery.runLane(directory.id)).toEqual({ reason: 'idle' });
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

describe('backlog', () => {
  it('counts the lanes with undelivered events and reports the age of the oldest', async () => {
    const delivery = fixture.newDelivery({ retryScheduleSeconds: [60] });
    await delivery.sweep();
    const before = await delivery.backlog();
    const directories = [await fixture.directoryWith(2), await fixture.directoryWith(1)];
    await fixture.database.query(
      `UPDATE dsync.events SET created_at = now() - interval '30 minutes' WHERE source_id = $1`,
      [directories[1]?.id],
    );
    await delivery.sweep();
    const waiting = await delivery.backlog();
    expect(waiting.due).toBe(before.due + 2);
    expect(waiting.oldestAgeSeconds).toBeGreaterThanOrEqual(1_800);
    for (const { id } of directories) await delivery.runLane(id);
    const after = await delivery.backlog();
    expect(after.due).toBe(before.due);
    expect(after.oldestAgeSeconds).toBeLessThan(1_800);
  });
});

describe('seen in Polis', () => {
  it('an unreachable webhook neither delays the request of the provider nor loses the event', async () => {
    const directory = await fixture.directoryWith(0);
    const { status } = await directory.send('POST', '/Users', user('ann'));
    expect([status, fixture.receiver.received]).toEqual([201, []]);
    fixture.receiver.respond(() => ({ status: 500 }));
    await fixture.newDelivery({ retryScheduleSeconds: [60] }).runLane(directory.id);
    expect(fixture.receiver.received).toHaveLength(1);
    expect(await fixture.statesOf(directory)).toEqual(['pending']);
  });

  it('a 204 counts as delivered, and a failing directory delays no other', async () => {
    const failing = await fixture.directoryWith(1);
    const healthy = await fixture.directoryWith(1, {
      webhook_url: `${fixture.receiver.url}/healthy`,
    });
    fixture.receiver.respond(({ path }) => ({ status: path === '/healthy' ? 204 : 500 }));
    const delivery = fixture.newDelivery({ retryScheduleSeconds: [60] });
    await Promise.all([failing, healthy, failing, healthy].map(({ id }) => delivery.runLane(id)));
    expect(fixture.receiver.received.filter(({ path }) => path === '/healthy')).toHaveLength(1);
    expect([await fixture.statesOf(failing), await fixture.statesOf(healthy)]).toEqual([
      ['pending'],
      ['delivered'],
    ]);
  });
});

describe('events.resend', () => {
  it('by several callers at once is one more delivery, and succeeds for each caller', async () => {
    const directory = await fixture.directoryWith(1);
    const delivery = fixture.newDelivery();
    await delivery.runLane(directory.id);
    const [event] = await fixture.test.eventsOf(directory);
    const { events } = fixture.test.sync;
    const resent = await Promise.all([1, 2, 3, 4].map(() => events.resend(event?.id ?? '')));
    expect(resent.map(({ data }) => data?.state)).toEqual(Array(4).fill('pending'));
    await delivery.runLane(directory.id);
    expect(fixture.receiver.received).toHaveLength(2);
    expect(await fixture.statesOf(directory)).toEqual(['delivered']);
  });

  it('409 without a live webhook', async () => {
    const directory = await fixture.directoryWith(1);
    await fixture.newDelivery().runLane(directory.id);
    const [event] = await fixture.test.eventsOf(directory);
    await fixture.test.sync.directories.update(directory.id, { deactivated: true });
    expect((await fixture.test.sync.events.resend(event?.id ?? '')).error?.code).toBe(409);
    expect(await fixture.statesOf(directory)).toEqual(['delivered']);
  });
});

it('large events are read in small batches and delivered in order', async () => {
  const directory = await fixture.directoryWith(0);
  for (let n = 0; n < 3; n++) {
    const note = randomBytes(450_000).toString('base64');
    await directory.send('POST', '/Users', user(`user-${n}`, { note }));
  }
  expect(await fixture.newDelivery().runLane(directory.id)).toEqual({ reason: 'idle' });
  expect(fixture.namesReceived()).toEqual(['user-0', 'user-1', 'user-2']);
});

describe('events.processBatch', () => {
  it('wakes every directory with undelivered events, and waits for delivery on request', async () => {
    const directory = await fixture.directoryWith(2);
    fixture.test.woken.length = 0;
    const { data } = await fixture.test.sync.events.processBatch({ directoryId: directory.id });
    expect([data, fixture.test.woken]).toEqual([{ directories: 1, events: 2 }, [directory.id]]);
    const delivered = fixture.newDelivery().runLane(directory.id);
    const waited = await fixture.test.sync.events.processBatch({
      directoryId: directory.id,
      wait: 5,
    });
    await delivered;
    expect(waited.error).toBeNull();
    expect(await fixture.statesOf(directory)).toEqual(['delivered', 'delivered']);
    const left = await fixture.test.sync.events.processBatch({ directoryId: directory.id });
    expect(left.data).toEqual({ directories: 0, events: 0 });
    expect((await fixture.test.sync.events.processBatch({ wait: 61 })).error?.code).toBe(400);
  });

  it('only logs an event of a directory that was deactivated meanwhile', async () => {
    const directory = await fixture.directoryWith(1);
    await fixture.test.sync.directories.update(directory.id, { deactivated: true });
    await fixture.newDelivery().runLane(directory.id);
    expect([await fixture.statesOf(directory), fixture.receiver.received]).toEqual([
      ['not_sent'],
      [],
    ]);
  });
});

it('a change that a provider sends twice is one event', async () => {
  const directory = await fixture.directoryWith(1);
  const { data } = await directory.send('GET', '/Users');
  const change = patch({ op: 'replace', path: 'active', value: false });
  for (let n = 0; n < 2; n++) {
    await directory.send('PATCH', `/Users/${data.Resources[0].id}`, change);
  }
  await fixture.newDelivery().runLane(directory.id);
  expect(fixture.receiver.received).toHaveLength(2);
});

describe('a deleted directory', () => {
  it('keeps its own row until no request can write to it, then is purged with all later writes', async () => {
    const delivery = fixture.newDelivery();
    const directory = await fixture.directoryWith(1);
    await fixture.test.sync.directories.delete(directory.id);
    const late = `INSERT INTO dsync.events (source_id, type, data) VALUES ($1, 'user.created', '{}')`;
    await fixture.database.query(late, [directory.id]);
    await delivery.purgeDeleted();
    const rows = () =>
      fixture.database.query<{ of: string }>(
        `SELECT 'events' AS of FROM dsync.events WHERE source_id = $1
          UNION ALL SELECT 'directories' FROM dsync.directories WHERE id = $1`,
        [directory.id],
      );
    expect(await rows()).toEqual([{ of: 'directories' }]);

    await fixture.database.query(late, [directory.id]);
    await fixture.database.query(
      `UPDATE dsync.directories SET deleted_at = now() - interval '11 minutes' WHERE id = $1`,
      [directory.id],
    );
    await delivery.purgeDeleted();
    expect(await rows()).toEqual([]);
  });
});

describe('the operations webhook', () => {
  it('receives each change of a webhook and of a directory once', async () => {
    const delivery = fixture.newDelivery({ retryScheduleSeconds: [0] });
    await delivery.putOperationsWebhook({
      url: `${fixture.receiver.url}/operations`,
      secret: 'a-secret-of-operations',
    });
    const directory = await fixture.directoryWith(1);
    const { directories } = fixture.test.sync;
    fixture.receiver.respond(({ path }) => ({ status: path === '/hook' ? 500 : 200 }));
    for (let turn = 0; turn < 3; turn++) await delivery.runLane(directory.id);
    await directories.update(directory.id, { webhook_url: `${fixture.receiver.url}/new` });
    await delivery.runLane(directory.id);
    for (const deactivated of [true, true, false]) {
      await directories.update(directory.id, { deactivated });
    }
    await directories.delete(directory.id);
    expect(await delivery.sweep()).toContain(OPERATIONS_SOURCE);
    await delivery.runLane(OPERATIONS_SOURCE);
    const notices = fixture.receiver.received.filter(({ path }) => path === '/operations');
    const sent = notices.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ event }) => event as string)).toEqual([
      'directory.created',
      'webhook.failing',
      'webhook.paused',
      'directory.deactivated',
      'directory.activated',
      'directory.deleted',
    ]);
    expect(sent[0].data).toMatchObject({ directory_id: directory.id, product: 'product' });
    expect(sent[1].data).toMatchObject({ source_id: directory.id, state: 'failing' });
    const verifier = new Webhook('a-secret-of-operations', { format: 'raw' });
    for (const { body, headers } of notices) {
      expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    }
  });

  it('learns once that a directory has become quiet, and again after its next request', async () => {
    const delivery = fixture.newDelivery();
    const [quiet, deactivated] = [await fixture.directoryWith(1), await fixture.directoryWith(1)];
    await fixture.directoryWith(1);
    await fixture.test.newDirectory();
    await fixture.test.sync.directories.update(deactivated.id, { deactivated: true });
    const requestsEnd = (...directories: { id: string }[]) =>
      fixture.database.query(
        `UPDATE dsync.directories SET last_request_at = now() - interval '2 days',
            last_success_at = now() - interval '2 days'
          WHERE id = ANY ($1::uuid[])`,
        [directories.map(({ id }) => id)],
      );
    const noticed = async () => {
      await delivery.noticeQuiet(86_400);
      const rows = await fixture.database.query(
        `SELECT data FROM dsync.events WHERE source_id = $1 AND type = 'directory.quiet'
          ORDER BY sequence`,
        [OPERATIONS_SOURCE],
      );
      return rows.map(({ data }) => data.directory_id as string);
    };
    await requestsEnd(quiet, deactivated);
    await Promise.all([noticed(), noticed()]);
    expect(await noticed()).toEqual([quiet.id]);
    const another = await openSync(fixture.database.url);
    const { id, scim } = quiet;
    await another.sync.requests.handle({
      method: 'GET',
      directoryId: id,
      resourceType: 'users',
      apiSecret: scim.secret,
    });
    await eventually(async () => {
      const { data } = await another.sync.directories.status(id);
      expect(Date.parse(data?.last_request_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    });
    await another.close();
    expect(await noticed()).toEqual([quiet.id]);
    await requestsEnd(quiet);
    expect(await noticed()).toEqual([quiet.id, quiet.id]);
  });
});
