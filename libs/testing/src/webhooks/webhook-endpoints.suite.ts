/** Guarantees of webhook endpoint administration in every service. */
import {
  ENDPOINT_HEADERS,
  UNKNOWN_ID,
  useWebhookFixture,
  type WebhookService,
} from './webhook-fixture.js';

export function describeWebhookEndpoints(service: () => WebhookService): void {
  describe('the administration of webhook endpoints', () => testEndpoints(service));
}

function testEndpoints(service: () => WebhookService): void {
  const fixture = useWebhookFixture(service);

  describe('a webhook endpoint', () => {
    it('201: is created with defaults and a secret that is shown once', async () => {
      const { answer, endpoint, secret, path } = await fixture.create();
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('location')).toMatch(new RegExp(`.${path}$`));
      expect(endpoint).toMatchObject({
        url: fixture.receiver.url,
        types: null,
        header_names: [],
        logs_attempts: false,
        on_poison: 'park',
        state: 'healthy',
        reason: null,
        failures: 0,
        failing_since: null,
        last_success_at: null,
        next_attempt_at: null,
      });
      expect(await fixture.get(path)).toEqual(endpoint);
      expect(await fixture.get(fixture.path)).toEqual({ webhook_endpoints: [endpoint] });
    });

    it('keeps its secret and its headers sealed, and shows only the names of the headers', async () => {
      const secret = 'a secret of my own choice';
      const { endpoint, path } = await fixture.create({ secret, headers: ENDPOINT_HEADERS });
      expect(endpoint.header_names).toEqual(['authorization', 'x-team']);
      const read = await fixture.service.send('GET', path);
      for (const text of [await fixture.service.stored(), read.text]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain('the-token-of-the-receiver');
      }
    });

    it('200: PATCH changes what is sent; null resets a member, and what is read may be sent back', async () => {
      const [type] = fixture.service.types;
      const { path } = await fixture.create({
        types: [type],
        headers: ENDPOINT_HEADERS,
        logs_attempts: true,
      });
      expect(await fixture.patch(path, { on_poison: 'block' })).toMatchObject({
        types: [type],
        header_names: ['authorization', 'x-team'],
        logs_attempts: true,
        on_poison: 'block',
      });
      const unset = { types: null, headers: null, logs_attempts: false, on_poison: 'park' };
      const reset = await fixture.patch(path, unset);
      expect(reset).toMatchObject({
        types: null,
        header_names: [],
        logs_attempts: false,
        on_poison: 'park',
        url: fixture.receiver.url,
      });
      const again = await fixture.patch(path, reset);
      expect(again).toEqual({ ...reset, updated_at: again.updated_at });
    });

    const headers = (value: object) => ({ headers: value });
    const many = Object.fromEntries([...'abcdefghijklmnopq'].map((name) => [name, 'x']));
    it.each([
      [{ url: '' }, 'url'],
      [{ url: null }, 'url'],
      [{ url: 'ftp://example.com' }, 'url'],
      [{ url: 'https://user:pass@example.com' }, 'url'],
      [{ types: ['nothing.happened'] }, 'types[0]'],
      [{ types: 'key.issued' }, 'types'],
      [{ secret: 'short' }, 'secret'],
      [{ secret: 'whsec_not*base64*at*all' }, 'secret'],
      [{ on_poison: 'drop' }, 'on_poison'],
      [{ logs_attempts: 'yes' }, 'logs_attempts'],
      [{ header: {} }, 'header'],
      [headers({ 'Webhook-Id': 'x' }), 'headers.Webhook-Id'],
      [headers({ 'Content-Length': '1' }), 'headers.Content-Length'],
      [headers({ 'Transfer-Encoding': 'chunked' }), 'headers.Transfer-Encoding'],
      [headers({ 'Proxy-Authorization': 'x' }), 'headers.Proxy-Authorization'],
      [headers({ 'a b': 'x' }), 'headers.a b'],
      [headers({ a: 'x\r\nb: y' }), 'headers.a'],
      [headers({ a: '' }), 'headers.a'],
      [headers({ a: 1 }), 'headers.a'],
      [headers({ a: 'x', A: 'y' }), 'headers.A'],
      [headers(many), 'headers'],
    ])('400: %j', async (members, field) => {
      const body = { url: 'https://example.com', ...members };
      const answer = await fixture.service.send('POST', fixture.path, body);
      expect([answer.status, fixture.service.fieldsOf(answer)]).toEqual([400, [field]]);
    });

    it('400: an overlap that is not a duration, or too long', async () => {
      const { path } = await fixture.create();
      for (const overlap of ['x', -1, 1.5, '31d', 2_592_001]) {
        const answer = await fixture.service.send('POST', `${path}/rotate-secret`, { overlap });
        expect([answer.status, fixture.service.fieldsOf(answer)]).toEqual([400, ['overlap']]);
      }
    });

    it('404: every operation on an unknown one', async () => {
      for (const [method, operation] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/rotate-secret'],
        ['POST', '/pause'],
        ['POST', '/resume'],
        ['POST', '/test'],
        ['GET', '/status'],
        ['GET', '/attempts'],
        ['GET', '/parked-events'],
      ] as const) {
        for (const id of [UNKNOWN_ID, 'none']) {
          const json = method === 'PATCH' ? {} : undefined;
          const path = `${fixture.path}/${id}${operation}`;
          const answer = await fixture.service.send(method, path, json);
          expect([method, path, answer.status]).toEqual([method, path, 404]);
          expect(fixture.service.codeOf(answer)).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
        }
      }
    });

    it('409: there may be ten, however many are asked for at once', async () => {
      const { endpointsMax, send } = fixture.service;
      const body = { url: fixture.receiver.url };
      const answers = await Promise.all(
        Array.from({ length: endpointsMax + 4 }, () => send('POST', fixture.path, body)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array<number>(endpointsMax).fill(201), 409, 409, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused && fixture.service.codeOf(refused)).toBe('WEBHOOK_ENDPOINT_LIMIT_REACHED');
    });

    it('is changed by one administrator after the other, so that no change is lost', async () => {
      const { path } = await fixture.create();
      const changes = {
        types: [fixture.service.types[0]],
        logs_attempts: true,
        on_poison: 'block',
      };
      await Promise.all(
        Object.entries(changes).map(([name, value]) => fixture.patch(path, { [name]: value })),
      );
      expect(await fixture.get(path)).toMatchObject(changes);
    });

    it('is audited with every change, without its URL and its secrets', async () => {
      const { id, path } = await fixture.create({ headers: ENDPOINT_HEADERS });
      await fixture.patch(path, { logs_attempts: true });
      for (const [operation, json] of [
        ['rotate-secret', { overlap: '1h' }],
        ['pause', undefined],
        ['resume', undefined],
        ['test', undefined],
      ] as const) {
        await fixture.post(`${path}/${operation}`, json);
      }
      await fixture.service.send('DELETE', path);
      const audited = await fixture.service.audited(7);
      const details = { endpoint_id: id };
      expect(audited).toMatchObject([
        { type: 'webhook_endpoint.deleted', details },
        { type: 'webhook_endpoint.tested', details },
        { type: 'webhook_endpoint.resumed', details },
        { type: 'webhook_endpoint.paused', details },
        { type: 'webhook_endpoint.secret_rotated', details: { ...details, overlap: '3600s' } },
        { type: 'webhook_endpoint.updated', details: { ...details, fields: ['logs_attempts'] } },
        { type: 'webhook_endpoint.created', details: { ...details, fields: ['url', 'headers'] } },
      ]);
      expect(JSON.stringify(audited)).not.toMatch(/whsec|127\.0\.0\.1:|the-token/);
    });
  });

  describe('a test of a webhook endpoint', () => {
    it('sends a signed webhook.ping and answers what happened', async () => {
      const { secret, path, id } = await fixture.create();
      const done = await fixture.post(`${path}/test`);
      expect(done).toMatchObject({ delivered: true, status_code: 200, error: null });
      const [ping] = fixture.receiver.received.map(({ body }) => JSON.parse(body));
      expect(ping).toMatchObject({ event: 'webhook.ping', data: { endpoint_id: id } });
      expect(fixture.isSignedBy(secret)).toBe(true);
      fixture.receiver.respond(() => ({ status: 500, body: 'secret of the receiver' }));
      const failed = await fixture.service.send('POST', `${path}/test`);
      expect(fixture.service.dataOf(failed.body)).toMatchObject({
        delivered: false,
        status_code: 500,
        error: 'the endpoint answered 500',
      });
      expect(failed.text).not.toContain('secret of the receiver');
    });

    it('ends a pause if it succeeds', async () => {
      const { path } = await fixture.create();
      expect(await fixture.post(`${path}/pause`)).toMatchObject({ state: 'paused' });
      fixture.receiver.respond(() => ({ status: 500 }));
      await fixture.post(`${path}/test`);
      expect(await fixture.get(path)).toMatchObject({ state: 'paused' });
      fixture.receiver.respond(() => ({}));
      await fixture.post(`${path}/test`);
      expect(await fixture.get(path)).toMatchObject({ state: 'healthy', reason: null });
    });
  });
}
