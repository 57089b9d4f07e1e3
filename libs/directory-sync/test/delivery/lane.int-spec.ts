import { Webhook } from 'standardwebhooks';
import { user } from '../harness.js';
import { useLaneFixture } from '../lane-fixture.js';

const fixture = useLaneFixture();

describe('a lane', () => {
  it('delivers events one after the other in sequence, signed in three ways', async () => {
    const directory = await fixture.directoryWith(5);
    expect(await fixture.newDelivery().runLane(directory.id)).toEqual({ reason: 'idle' });
    expect(fixture.namesReceived()).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4']);
    expect(await fixture.statesOf(directory)).toEqual(Array(5).fill('delivered'));

    const log = await fixture.test.eventsOf(directory);
    const verifier = new Webhook('a-secret-of-the-receiver', { format: 'raw' });
    for (const [index, { headers, body }] of fixture.receiver.received.entries()) {
      const { state, attempts, ...payload } = log[index] as (typeof log)[0] & {
        state: string;
        attempts: unknown[];
      };
      expect([state, attempts.length]).toEqual(['delivered', 1]);
      expect(verifier.verify(body, headers as Record<string, string>)).toEqual(payload);
      expect(headers['webhook-id']).toBe(payload.id);
      expect(headers['boxyhq-signature']).toMatch(/^t=\d{13},s=[0-9a-f]{64}$/);
      expect(headers['ory-polis-signature']).toBe(headers['boxyhq-signature']);
    }
  });

  it('signs with both secrets while the old one overlaps', async () => {
    const directory = await fixture.directoryWith(1);
    await fixture.test.sync.directories.update(directory.id, {
      webhook_secret: 'the-new-secret-of-the-receiver',
      webhook_secret_overlap: '1h',
    });
    await fixture.newDelivery().runLane(directory.id);
    const [{ headers, body }] = fixture.receiver.received as [
      (typeof fixture.receiver.received)[0],
    ];
    for (const secret of ['a-secret-of-the-receiver', 'the-new-secret-of-the-receiver']) {
      const verifier = new Webhook(secret, { format: 'raw' });
      expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    }
  });

  it('keeps its order when an event fails', async () => {
    const directory = await fixture.directoryWith(3);
    fixture.receiver.respond((_, index) => ({ status: index === 1 ? 500 : 200 }));
    const delivery = fixture.newDelivery();
    expect(await delivery.runLane(directory.id)).toMatchObject({ reason: 'waiting' });
    expect(await fixture.statesOf(directory)).toEqual(['delivered', 'pending', 'pending']);
    expect(await delivery.runLane(directory.id)).toEqual({ reason: 'idle' });
    expect(fixture.namesReceived()).toEqual(['user-0', 'user-1', 'user-1', 'user-2']);
    const ids = fixture.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[1]).toBe(ids[2]);
  });

  it('waits until the next attempt, longer if the endpoint sends Retry-After', async () => {
    const directory = await fixture.directoryWith(1);
    fixture.receiver.respond(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const delivery = fixture.newDelivery({ retryScheduleSeconds: [60] });
    const run = await delivery.runLane(directory.id);
    const waitMs = run.reason === 'waiting' ? run.retryAt.getTime() - Date.now() : 0;
    expect(Math.round(waitMs / 10_000)).toBe(60);
    expect(await delivery.runLane(directory.id)).toMatchObject({ reason: 'waiting' });
    expect(fixture.receiver.received).toHaveLength(1);
    expect(await delivery.sweep()).not.toContain(directory.id);
  });

  it('parks an event that the endpoint refuses while it accepts others, and continues', async () => {
    const directory = await fixture.directoryWith(2);
    fixture.receiver.respond(({ body }) => ({ status: body.includes('user-0') ? 422 : 200 }));
    const delivery = fixture.newDelivery();
    for (let run = 0; run < 3; run++) await delivery.runLane(directory.id);
    expect(await fixture.statesOf(directory)).toEqual(['dead', 'delivered']);
    const { data } = await fixture.test.sync.directories.status(directory.id);
    expect(data).toMatchObject({ pending: 0, oldest_pending_age_seconds: null, dead: 1 });

    const [parked] = await fixture.test.eventsOf(directory);
    const { data: record } = await fixture.test.sync.events.get(parked?.id ?? '');
    expect(record?.attempts.map(({ status_code, error }) => [status_code, error])).toEqual(
      Array(3).fill([422, 'the endpoint answered 422']),
    );
    fixture.receiver.respond(() => ({ status: 204 }));
    expect((await fixture.test.sync.events.resend(parked?.id ?? '')).data?.state).toBe('pending');
    await delivery.runLane(directory.id);
    expect(await fixture.statesOf(directory)).toEqual(['delivered', 'delivered']);
  });

  it('stops the webhook after 410; a new address restarts it with the next event', async () => {
    const directory = await fixture.directoryWith(2);
    fixture.receiver.respond(() => ({ status: 410 }));
    await fixture.newDelivery().runLane(directory.id);
    expect(fixture.receiver.received).toHaveLength(1);
    expect(await fixture.statesOf(directory)).toEqual(['not_sent', 'not_sent']);
    const status = await fixture.test.sync.directories.status(directory.id);
    expect(status.data?.webhook.state).toBe('stopped');

    fixture.receiver.respond(() => ({ status: 200 }));
    await fixture.test.sync.directories.update(directory.id, {
      webhook_url: `${fixture.receiver.url}/new`,
    });
    await directory.send('POST', '/Users', user('later'));
    await fixture.newDelivery().runLane(directory.id);
    expect(fixture.receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
    expect(fixture.namesReceived().at(-1)).toBe('later');
  });

  it.each([500, 410])(
    'sends at once to a new address what the old one answers with %s meanwhile',
    async (status) => {
      const directory = await fixture.directoryWith(1);
      fixture.receiver.respond(({ path }) => (path === '/hook' ? { status, delayMs: 700 } : {}));
      const delivery = fixture.newDelivery({ retryScheduleSeconds: [3_600] });
      const running = delivery.runLane(directory.id);
      await fixture.receiver.waitFor(1);
      const { directories } = fixture.test.sync;
      await directories.update(directory.id, { webhook_url: `${fixture.receiver.url}/new` });
      await running;
      expect(await delivery.runLane(directory.id)).toEqual({ reason: 'idle' });
      expect(fixture.receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
      expect(await fixture.statesOf(directory)).toEqual(['delivered']);
      expect((await directories.status(directory.id)).data?.webhook.state).toBe('healthy');
    },
  );

  it('counts a failure if the directory was renamed meanwhile', async () => {
    const directory = await fixture.directoryWith(1);
    fixture.receiver.respond(() => ({ status: 503, delayMs: 300 }));
    const running = fixture.newDelivery({ retryScheduleSeconds: [60] }).runLane(directory.id);
    await fixture.receiver.waitFor(1);
    await fixture.test.sync.directories.update(directory.id, { name: 'renamed' });
    expect(await running).toMatchObject({ reason: 'waiting' });
    const { data } = await fixture.test.sync.directories.status(directory.id);
    expect(data).toMatchObject({ webhook: { state: 'failing' } });
  });

  it('does not follow redirects', async () => {
    const directory = await fixture.directoryWith(1);
    fixture.receiver.respond(() => ({
      status: 302,
      headers: { location: `${fixture.receiver.url}/elsewhere` },
    }));
    expect((await fixture.newDelivery().runLane(directory.id)).reason).toBe('waiting');
    expect(fixture.receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  it('counts timeouts, closed connections and refused connections as failures', async () => {
    const directory = await fixture.directoryWith(1);
    fixture.receiver.respond((_, index) => (index === 0 ? { delayMs: 1_500 } : { hangUp: true }));
    const delivery = fixture.newDelivery({ timeoutSeconds: 1, retryScheduleSeconds: [0, 0, 0] });
    await delivery.runLane(directory.id);
    await delivery.runLane(directory.id);
    await fixture.test.sync.directories.update(directory.id, {
      webhook_url: 'http://127.0.0.1:1/',
    });
    await delivery.runLane(directory.id);
    const [event] = await fixture.test.eventsOf(directory);
    const { data } = await fixture.test.sync.events.get(event?.id ?? '');
    expect(data?.attempts.map(({ status_code }) => status_code)).toEqual([null, null, null]);
    expect(data?.attempts[0]?.error).toBe('no answer within 1000 ms');
    expect(data?.attempts[2]?.error).toContain('ECONNREFUSED');
  });

  it('refuses a private address at the socket, whatever name resolved to it', async () => {
    const directory = await fixture.directoryWith(1, {
      webhook_url: fixture.receiver.url.replace('127.0.0.1', 'localhost'),
    });
    const strict = fixture.newDelivery({}, false);
    expect((await strict.runLane(directory.id)).reason).toBe('waiting');
    expect(fixture.receiver.received).toEqual([]);
  });

  it('logs payload and response of each attempt only if the directory is configured to', async () => {
    const [logging, silent] = [
      await fixture.directoryWith(1, { log_webhook_events: true }),
      await fixture.directoryWith(1),
    ];
    fixture.receiver.respond(() => ({ status: 200, body: `${'x'.repeat(3_000)}` }));
    const delivery = fixture.newDelivery();
    await delivery.runLane(logging.id);
    await delivery.runLane(silent.id);
    const { data } = await fixture.test.sync.webhookLogs.getAll({ directoryId: logging.id });
    expect(data).toMatchObject([
      {
        status_code: 200,
        webhook_endpoint: `${fixture.receiver.url}/hook`,
        response: 'x'.repeat(2_048),
      },
    ]);
    expect(data?.[0]?.payload).toEqual(JSON.parse(fixture.receiver.received[0]?.body ?? ''));
    expect((await fixture.test.sync.webhookLogs.getAll({ directoryId: silent.id })).data).toEqual(
      [],
    );
  });
});
