/** Whole journeys through a gate, which are the same in every layout. */
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  createTestDatabase,
  eventually,
  type ReceivedWebhook,
  startWebhookReceiver,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';
import { type Gate, type OpenGate } from './gate.js';
import { Administrator, enterPortal, openSignUp } from './visitor.js';

export function describeJourneys(layout: string, open: OpenGate): void {
  describe(`in the ${layout} layout`, () => {
    let database: TestDatabase;
    let receiver: WebhookReceiver;
    let gate: Gate;
    let administrator: Administrator;

    beforeAll(async () => {
      database = await createTestDatabase();
      receiver = await startWebhookReceiver();
      gate = await open(database);
      administrator = new Administrator(gate);
    });
    afterAll(async () => {
      await gate?.close();
      await receiver.close();
      await database.drop();
    });
    beforeEach(() => {
      receiver.received.length = 0;
    });

    const eventOf = ({ body }: ReceivedWebhook) => JSON.parse(body);

    it('a program is admitted by its key until the key is revoked', async () => {
      const { id, secret } = await administrator.issue({ scopes: ['orders:read'] });
      expect(await administrator.verify(secret)).toMatchObject({ is_valid: true, key_id: id });
      const token = await administrator.derive(secret);
      const jwks = createRemoteJWKSet(
        new URL(`${gate.publicSurface.url}/v2alpha1/derivedKeys/jwks.json`),
      );
      const { payload } = await jwtVerify(token, jwks);
      expect(payload.sub).toBe(id);
      await administrator.revoke(id);
      for (const credential of [secret, token]) {
        expect(await administrator.verify(credential)).toMatchObject({
          is_valid: false,
          error_code: 'VERIFICATION_ERROR_REVOKED',
        });
      }
    });

    it('a limit admits as many requests as it allows, also of many at once', async () => {
      const { secret } = await administrator.issue({
        rate_limit_policy: { quota: 7, window: '3600s' },
      });
      const verified = await Promise.all(
        Array.from({ length: 30 }, () => administrator.verify(secret)),
      );
      expect(verified.filter(({ is_valid: isValid }) => isValid)).toHaveLength(7);
    });

    it('an administrator of one service administers the others by the scopes of the key', async () => {
      const { secret } = await administrator.issue({ scopes: ['dsync:read', 'forms:admin'] });
      const holder = new Administrator(gate, secret);
      expect((await holder.ask('GET', '/api/v1/dsync?tenant=a&product=b')).status).toBe(200);
      expect(
        (await holder.ask('POST', '/api/v1/dsync', { tenant: 'a', product: 'b' })).status,
      ).toBe(403);
      expect((await holder.ask('GET', '/v1/schemas')).status).toBe(200);
      expect((await holder.ask('GET', '/v2alpha1/admin/issuedApiKeys')).status).toBe(403);
    });

    it('the admin surface refuses callers without a key, and the public surface has none of it', async () => {
      for (const path of ['/v2alpha1/admin/issuedApiKeys', '/api/v1/dsync', '/v1/schemas']) {
        expect([path, (await gate.adminSurface.send('GET', path)).status]).toEqual([path, 401]);
        expect([path, (await gate.publicSurface.send('GET', path)).status]).toEqual([path, 404]);
      }
    });

    it('changes of an identity provider arrive as signed webhooks, each once and in order', async () => {
      const hook = `${receiver.url}/directory`;
      const provider = await administrator.newDirectory(hook);
      const names = Array.from({ length: 20 }, (_, n) => `user-${n}@example.com`);
      const ids: string[] = [];
      for (const name of names) ids.push(await provider.createUser(name));
      for (const id of ids) await provider.deactivate(id);
      const received = await receiver.waitFor(40);
      expect(received.map((webhook) => eventOf(webhook).event)).toEqual([
        ...names.map(() => 'user.created'),
        ...names.map(() => 'user.updated'),
      ]);
      expect(received.map((webhook) => eventOf(webhook).data.id)).toEqual([...ids, ...ids]);
    });

    it('the key of a person who leaves a directory stops', async () => {
      await administrator.linkKeys('leavers');
      const provider = await administrator.newDirectory(`${receiver.url}/leavers`, 'leavers');
      const id = await provider.createUser('kim@example.com');
      const { secret } = await administrator.issue({ actor_id: id });
      expect(await administrator.verify(secret)).toMatchObject({ is_valid: true });
      await provider.deactivate(id);
      await eventually(async () =>
        expect(await administrator.verify(secret)).toMatchObject({
          error_code: 'VERIFICATION_ERROR_PAUSED',
        }),
      );
    });

    it('a person signs up on a page, and the application hears of it', async () => {
      const { body: endpoint } = await administrator.ask('POST', '/v1/webhook-endpoints', {
        url: `${receiver.url}/forms`,
      });
      await administrator.newSchema('visitor');
      const email = 'ada@example.com';
      const submit = await openSignUp(gate, 'visitor');
      expect(await submit(gate, email)).toMatchObject({ traits: { email } });
      const [webhook] = (await receiver.waitFor(1)) as [ReceivedWebhook];
      expect(eventOf(webhook)).toMatchObject({ event: 'identity.created' });
      const { body, headers } = webhook;
      const verify = () =>
        new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
      expect(verify).not.toThrow();
    });

    it('the owner of keys manages them in the portal', async () => {
      const { id } = await administrator.issue({ actor_id: 'grace', name: 'Laptop of Grace' });
      const cookie = await enterPortal(gate, await administrator.portal('grace'));
      const headers = { cookie };
      const page = await gate.publicSurface.send('GET', '/portal/keys', { headers });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Laptop of Grace')]);
      await administrator.revoke(id);
    });

    it('answers to health checks, and its metrics name the services', async () => {
      const { status } = await gate.publicSurface.send('GET', '/health/alive');
      expect(status).toBe(200);
      const metrics = await Promise.all(gate.processes.map((process) => process.metrics()));
      await eventually(() => {
        for (const service of [
          'key-service',
          'dsync-api',
          'dsync-worker',
          'identity-forms',
          'console',
        ]) {
          expect(metrics.join('\n')).toMatch(`gatehouse_build_info{service="${service}"`);
        }
      });
    });
  });
}
