/** The delivery of events as they were logged, by a lane as the worker runs it. */
import { ENDPOINT_HEADERS, useWebhookFixture, type WebhookService } from './webhook-fixture.js';

/** @param deliver runs the lanes of all endpoints once */
export function describePlainDelivery(
  service: () => WebhookService,
  deliver: () => Promise<void>,
): void {
  describe('the delivery', () => {
    const fixture = useWebhookFixture(service);

    it('sends every event from now on, signed, in order, with the headers of the endpoint', async () => {
      const { types, change, changeAgain, subjectOf, eventsAfter } = fixture.service;
      await change();
      const { secret } = await fixture.create({ headers: ENDPOINT_HEADERS });
      const id = await change();
      await changeAgain(id);
      await deliver();
      const events = fixture.events();
      expect(events.map((each) => [each.event, subjectOf(each)])).toEqual(
        types.map((type) => [type, id]),
      );
      expect([fixture.isSignedBy(secret, 0), fixture.isSignedBy(secret, 1)]).toEqual([true, true]);
      expect(fixture.receiver.received[0]?.headers).toMatchObject({
        authorization: ENDPOINT_HEADERS.Authorization,
        'x-team': 'checkout',
        'webhook-id': events[0].id,
      });
      expect((await eventsAfter('')).slice(-2)).toEqual(events);
    });

    it('sends only the types that the endpoint wants', async () => {
      const { types, change, changeAgain } = fixture.service;
      await fixture.create({ types: [types[1]] });
      await changeAgain(await change());
      await deliver();
      expect(fixture.events().map(({ event }) => event)).toEqual([types[1]]);
    });

    it('is signed by both secrets during the overlap, and by the new one after it', async () => {
      const { secret, path } = await fixture.create();
      const rotated = await fixture.post(`${path}/rotate-secret`, { overlap: '1h' });
      await fixture.service.change();
      await deliver();
      expect(rotated.secret).not.toBe(secret);
      expect([secret, rotated.secret].map((each) => fixture.isSignedBy(each))).toEqual([
        true,
        true,
      ]);
      const own = 'whsec_b3duLXNlY3JldC1vZi10aGUtb3duZXI=';
      expect((await fixture.post(`${path}/rotate-secret`, { secret: own })).secret).toBe(own);
      await fixture.service.change();
      await deliver();
      const signs = [secret, rotated.secret, own].map((each) => fixture.isSignedBy(each, 1));
      expect(signs).toEqual([false, false, true]);
    });

    it('stops while the endpoint is paused, and continues with what waited', async () => {
      const { path } = await fixture.create();
      expect(await fixture.post(`${path}/pause`)).toMatchObject({
        state: 'paused',
        reason: 'paused by an administrator',
        next_attempt_at: null,
      });
      const id = await fixture.service.change();
      await fixture.patch(path, { url: `${fixture.receiver.url}/moved` });
      await deliver();
      expect(fixture.events()).toEqual([]);
      expect(await fixture.post(`${path}/resume`)).toMatchObject({ state: 'healthy' });
      await deliver();
      expect(fixture.events('/moved').map(fixture.service.subjectOf)).toEqual([id]);
    });

    it('shows why an endpoint fails; a new URL ends that', async () => {
      const { path } = await fixture.create();
      fixture.receiver.respond(() => ({ status: 503 }));
      await fixture.service.change();
      await deliver();
      const failing = await fixture.get(path);
      expect(failing).toMatchObject({
        state: 'failing',
        failures: 1,
        reason: 'the endpoint answered 503',
      });
      expect([failing.failing_since, failing.next_attempt_at]).not.toContain(null);
      const moved = await fixture.patch(path, { url: `${fixture.receiver.url}/new` });
      expect(moved).toMatchObject({ state: 'healthy', failures: 0, next_attempt_at: null });
    });
  });
}
