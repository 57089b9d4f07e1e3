/** Delivery status and replay of events, in every service. */
import { type Json } from '../answer.js';
import { eventually } from '../eventually.js';
import { UNKNOWN_ID, useWebhookFixture, type WebhookService } from './webhook-fixture.js';

/** @param startWorker starts one that tries an event twice, and retries every second */
export function describeEventDeliveries(
  service: () => WebhookService,
  startWorker: () => Promise<unknown>,
): void {
  describe('the deliveries of events', () => testDeliveries(service, startWorker));
}

function testDeliveries(service: () => WebhookService, startWorker: () => Promise<unknown>): void {
  const fixture = useWebhookFixture(service);
  const replayPath = () => `${fixture.service.source}/events/replay`;

  describe('an event', () => {
    it('409: is not resent without an endpoint that takes it', async () => {
      const { types, send, codeOf } = fixture.service;
      const { path } = await fixture.create({ types: [types[1]] });
      await fixture.service.change();
      const event = `/events/${await fixture.lastEventId()}`;
      const refused = await send('POST', `${event}/resend`, {});
      expect([refused.status, codeOf(refused)]).toEqual([409, 'NO_WEBHOOK_ENDPOINT']);
      expect(await fixture.get(event)).toMatchObject({ state: 'not_sent', attempts: [] });
      expect(await fixture.get(`${path}/status`)).toMatchObject({ dead: 0 });
      const [audited] = await fixture.service.audited(1);
      expect(audited.type).not.toBe('event.resent');
    });

    it('404: that is unknown, or is sent to an unknown endpoint', async () => {
      await fixture.service.change();
      const event = `/events/${await fixture.lastEventId()}/resend`;
      const range = { from_time: '2026-01-01T00:00:00Z', endpoint_id: UNKNOWN_ID };
      for (const [method, path, json, code] of [
        ['GET', `/events/${UNKNOWN_ID}`, undefined, 'EVENT_NOT_FOUND'],
        ['GET', '/events/x', undefined, 'EVENT_NOT_FOUND'],
        ['POST', `/events/${UNKNOWN_ID}/resend`, undefined, 'EVENT_NOT_FOUND'],
        ['POST', event, { endpoint_id: UNKNOWN_ID }, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
        ['POST', event, { endpoint_id: 'x' }, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
        ['POST', replayPath(), range, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
      ] as const) {
        const answer = await fixture.service.send(method, path, json);
        const found = [path, answer.status, fixture.service.codeOf(answer)];
        expect(found).toEqual([path, 404, code]);
      }
    });

    it('400: is not resent to an endpoint by another name', async () => {
      await fixture.service.change();
      const path = `/events/${await fixture.lastEventId()}/resend`;
      const answer = await fixture.service.send('POST', path, { endpoint: 'x' });
      expect([answer.status, fixture.service.fieldsOf(answer)]).toEqual([400, ['endpoint']]);
    });
  });

  it.each([
    [{}, 'after'],
    [{ after: UNKNOWN_ID }, 'after'],
    [{ after: 'x' }, 'after'],
    [{ after: UNKNOWN_ID, from_time: '2026-01-01T00:00:00Z' }, 'after'],
    [{ from_time: 'yesterday' }, 'from_time'],
    [{ from_time: '2026-01-01T00:00:00Z', until: '2025-01-01T00:00:00Z' }, 'until'],
    [{ from_time: '2026-01-01T00:00:00Z', types: ['x'] }, 'types[0]'],
    [{ from_time: '2026-01-01T00:00:00Z', type: 'x' }, 'type'],
  ])('400: a replay of %j', async (range, field) => {
    const answer = await fixture.service.send('POST', replayPath(), range);
    expect([answer.status, fixture.service.fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it.each([
    ['page_token=x', 'page_token'],
    ['page_size=x', 'page_size'],
    ['filter=x', 'filter'],
  ])('400: a list of deliveries with %s', async (query, field) => {
    const { path } = await fixture.create();
    for (const list of ['attempts', 'parked-events']) {
      const answer = await fixture.service.send('GET', `${path}/${list}?${query}`);
      expect([answer.status, fixture.service.fieldsOf(answer)]).toEqual([400, [field]]);
    }
  });

  describe('with a worker', () => {
    beforeAll(() => startWorker());

    it('an event that the receiver refuses is listed, resent and delivered', async () => {
      const { path, id: endpointId } = await fixture.create({ logs_attempts: true });
      await fixture.post(`${path}/pause`);
      const poison = await fixture.service.change();
      fixture.receiver.respond(({ body }) =>
        body.includes(poison) ? { status: 422, body: 'no, thank you' } : {},
      );
      const good = await fixture.service.change();
      expect(await fixture.get(`${path}/status`)).toMatchObject({ pending: 2, dead: 0 });
      await fixture.post(`${path}/resume`);
      await eventually(
        async () =>
          expect(await fixture.get(`${path}/status`)).toMatchObject({ pending: 0, dead: 1 }),
        { timeoutMs: 30_000 },
      );
      const { parked_events: parked } = await fixture.get(`${path}/parked-events`);
      expect(parked).toMatchObject([{ reason: 'the endpoint answered 422', attempts: 2 }]);
      const event = `/events/${parked[0].event_id}`;
      const record = await fixture.get(event);
      expect(record).toMatchObject({
        event: fixture.service.types[0],
        id: parked[0].event_id,
        state: 'dead',
        attempts: [
          { endpoint_id: endpointId, status_code: 422 },
          { status_code: 422, error: 'the endpoint answered 422' },
        ],
      });
      expect(fixture.service.subjectOf(record)).toBe(poison);
      await eventually(async () => {
        const { attempts } = await fixture.get(`${path}/attempts`);
        expect(attempts.map((each: Json) => [each.status_code, each.response])).toEqual([
          [200, ''],
          [422, 'no, thank you'],
          [422, 'no, thank you'],
        ]);
      });
      const first = await fixture.get(`${path}/attempts?page_size=2`);
      const next = `${path}/attempts?page_size=2&page_token=${first.next_page_token}`;
      const rest = await fixture.get(next);
      expect([first.attempts.length, rest.attempts.length]).toEqual([2, 1]);
      expect(rest.next_page_token).toBe('');

      fixture.receiver.respond(() => ({}));
      const resent = await fixture.post(`${event}/resend`);
      expect(resent.id).toBe(record.id);
      await eventually(async () => {
        expect(await fixture.get(event)).toMatchObject({ state: 'delivered' });
        expect(await fixture.get(`${path}/status`)).toEqual({
          pending: 0,
          oldest_pending_age_seconds: null,
          dead: 0,
        });
      });
      const delivered = fixture.events().map((each) => fixture.service.subjectOf(each));
      expect(delivered.at(-1)).toBe(poison);
      expect(delivered).toContain(good);
      expect(await fixture.service.audited(1)).toMatchObject([
        { type: 'event.resent', details: { event_id: record.id } },
      ]);
    });

    it('a part of the log is sent again in order, to one endpoint or to all', async () => {
      const { types, change, changeAgain, eventsAfter, subjectOf } = fixture.service;
      const before = await eventBefore();
      const { id } = await fixture.create();
      const url = `${fixture.receiver.url}/b`;
      const other = await fixture.create({ types: [types[1]], url });
      const ids = [await change(), await change(), await change()];
      await changeAgain(ids[1] ?? '');
      await fixture.receiver.waitFor(5);
      const last = await fixture.lastEventId();
      const replay = async (range: object) => {
        // A replay ends where the deliveries that are recorded end.
        await eventually(async () => {
          expect(await fixture.get(`/events/${last}`)).toMatchObject({ state: 'delivered' });
        });
        fixture.receiver.received.splice(0);
        return (await fixture.post(replayPath(), range)).endpoints as number;
      };
      const arrivals = (path: string) => fixture.events(path).map(subjectOf);

      expect(await replay({ after: before })).toBe(2);
      await fixture.receiver.waitFor(5);
      expect(arrivals('/')).toEqual([...ids, ids[1]]);
      expect(arrivals('/b')).toEqual([ids[1]]);

      expect(await replay({ after: before, endpoint_id: other.id })).toBe(1);
      await fixture.receiver.waitFor(1);
      expect([arrivals('/'), arrivals('/b')]).toEqual([[], [ids[1]]]);

      const [{ created_at: from }] = await eventsAfter(before);
      expect(await replay({ from_time: from, types: [types[0]], endpoint_id: id })).toBe(1);
      await fixture.receiver.waitFor(3);
      expect(arrivals('/')).toEqual(ids);
      expect(await fixture.service.audited(1)).toMatchObject([
        { type: 'events.replayed', details: { types: [types[0]], endpoint_id: id } },
      ]);
    });
  });

  /** The id of an event that is older than those of the test. */
  async function eventBefore(): Promise<string> {
    await fixture.service.change();
    return fixture.lastEventId();
  }
}
