/** A party that reads and writes Redis, without the message keys or with them, gains nothing. */
import { generateKeyPairSync } from 'node:crypto';
import { KeyRing } from '@gatehouse/crypto';
import { type JudgeAdministratorRequest, MessagePatterns } from '@gatehouse/schemas';
import { type Judgment, verdictSigner } from '@gatehouse/nest-kit/admin';
import { SealedMessages } from '@gatehouse/kit/exchange';
import { checkPayload, CONTROL_PLANE, eventually } from '@gatehouse/testing';
import { type Redis } from 'ioredis';
import {
  ACTOR,
  type GuardedApp,
  type GuardedServices,
  openGuardedServices,
  READ_PATHS,
  REMOTE_APPS,
} from './guarded-services.js';
import { bearer } from './key-stack.js';

const KEY_ID = '01900000-0000-7000-8000-000000000000';
const ring = KeyRing.fromTexts([CONTROL_PLANE.MESSAGE_KEYS]);

let guarded: GuardedServices;
beforeAll(async () => {
  guarded = await openGuardedServices();
});
afterAll(() => guarded.close());

describe('a party that reads and writes Redis', () => {
  const pattern = MessagePatterns.judgeAdministrator;
  let subscriber: Redis;
  let admin: string;
  let isKeyServiceStopped = false;

  beforeEach(async () => {
    subscriber = guarded.redis.client.duplicate();
    admin = (await guarded.issue(['dsync:admin', 'forms:admin'])).secret;
  });
  afterEach(async () => {
    subscriber.disconnect();
    if (!isKeyServiceStopped) return;
    guarded.services['key-service'] = await guarded.startKeyService();
    isKeyServiceStopped = false;
  });

  const send = (app: GuardedApp, credential: string) =>
    guarded.services[app].http.send('GET', READ_PATHS[app], { headers: bearer(credential) });
  const publish = (channel: string, packet: object) =>
    guarded.redis.client.publish(guarded.redis.namespace + channel, JSON.stringify(packet));

  interface SeenRequest {
    id: string;
    data: string;
  }

  /** Answers every question about an administrator in place of the key service. */
  async function impersonate(answer: (request: SeenRequest) => Promise<void>): Promise<void> {
    await guarded.services['key-service'].stop();
    isKeyServiceStopped = true;
    subscriber.on('message', (_channel, text) => void answer(JSON.parse(text) as SeenRequest));
    await subscriber.subscribe(guarded.redis.namespace + pattern);
  }

  it('sees no credential and no person', async () => {
    const seen: string[] = [];
    subscriber.on('pmessage', (...[, , text]) => seen.push(text));
    await subscriber.psubscribe(`${guarded.redis.namespace}*`);
    for (const app of REMOTE_APPS) expect((await send(app, admin)).status).toBe(200);
    const { secret } = await guarded.issue(['orders:read']);
    await guarded.keysAdmin('POST', '/apiKeys:derive', { credential: secret });
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(6));
    const all = seen.join('\n');
    for (const text of [admin, secret, ACTOR, 'actor', 'scopes', 'orders']) {
      expect(all).not.toContain(text);
    }
    const keys = await guarded.redis.client.keys(`${guarded.redis.namespace}*`);
    expect(keys.join('\n')).not.toContain(admin);
  });

  it('gets no second answer to a request that it repeats', async () => {
    const requests: string[] = [];
    let replies = 0;
    const { namespace } = guarded.redis;
    subscriber.on('message', (channel, text) => {
      if (channel.endsWith('.reply')) replies += 1;
      else requests.push(text);
    });
    await subscriber.subscribe(namespace + pattern, `${namespace}${pattern}.reply`);
    expect((await send('dsync-api', admin)).status).toBe(200);
    const [request] = requests;
    await guarded.redis.client.del(...(await guarded.redis.client.keys(`${namespace}claim:*`)));
    await guarded.redis.client.publish(namespace + pattern, request ?? '');
    // The next request is answered after the repeated one was seen.
    expect((await send('identity-forms', admin)).status).toBe(200);
    expect([requests.length, replies]).toEqual([3, 2]);
  });

  const LIVE: Judgment = {
    outcome: 'live',
    sub: KEY_ID,
    actor_id: 'intruder',
    scopes: ['dsync:admin', 'forms:admin'],
  };
  const ownSigner = verdictSigner(
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const genuineSigner = verdictSigner(CONTROL_PLANE.VERDICT_SIGNING_KEY);

  /** The forged reply, and the status that the client gets. */
  const FORGERIES: [
    string,
    (request: SeenRequest, asker: GuardedApp) => Promise<object>,
    number,
  ][] = [
    ['a plain reply', ({ id }) => Promise.resolve({ id, response: LIVE, isDisposed: true }), 504],
    [
      'a reply sealed with keys of its own',
      ({ id }, asker) => sealedReply(id, asker, '', KeyRing.fromTexts(['i'.repeat(32)])),
      504,
    ],
    [
      'as a neighbor: a verdict that it signed',
      async ({ id, data }, asker) =>
        sealedReply(id, asker, await ownSigner(LIVE, { asker, ...questionOf(id, data) })),
      503,
    ],
    [
      'as a neighbor: a genuine verdict of an earlier request',
      async ({ id, data }, asker) => {
        const question = { ...questionOf(id, data), nonce: 'earlier' };
        return sealedReply(id, asker, await genuineSigner(LIVE, { asker, ...question }));
      },
      503,
    ],
    [
      'as a neighbor: a genuine verdict about an administrator, for the nonce of this request',
      async ({ id, data }, asker) => {
        const question = { ...questionOf(id, data), key_id: KEY_ID, secret_sha256: 'digest' };
        return sealedReply(id, asker, await genuineSigner(LIVE, { asker, ...question }));
      },
      503,
    ],
    [
      'as a neighbor: a genuine verdict for another service',
      async ({ id, data }, asker) =>
        sealedReply(
          id,
          asker,
          await genuineSigner(LIVE, {
            asker: asker === 'dsync-api' ? 'identity-forms' : 'dsync-api',
            ...questionOf(id, data),
          }),
        ),
      503,
    ],
    [
      'the reply to another service',
      async ({ id, data }, asker) =>
        sealedReply(
          id,
          asker === 'dsync-api' ? 'identity-forms' : 'dsync-api',
          await genuineSigner(LIVE, { asker, ...questionOf(id, data) }),
        ),
      504,
    ],
  ];

  function questionOf(id: string, sealed: string): JudgeAdministratorRequest {
    const request = new SealedMessages(ring, 'key-service').openRequest(pattern, id, sealed);
    checkPayload(pattern, 'request', request?.data);
    return request?.data as JudgeAdministratorRequest;
  }

  function sealedReply(
    id: string,
    asker: GuardedApp,
    verdict: string,
    keys = ring,
  ): Promise<object> {
    const packet = { response: { verdict }, isDisposed: true };
    const response = new SealedMessages(keys, 'key-service').sealReply(pattern, id, asker, packet);
    return Promise.resolve({ id, response });
  }

  it.each(FORGERIES)(
    'does not take a caller for an administrator because of %s',
    async (_, forge, status) => {
      let asker: GuardedApp = 'dsync-api';
      await impersonate(async (request) => {
        await publish(`${pattern}.reply`, await forge(request, asker));
      });
      for (asker of REMOTE_APPS) {
        expect([asker, (await send(asker, admin)).status]).toEqual([asker, status]);
      }
    },
  );

  it('does not take a caller for an administrator because of a genuine reply that comes too late', async () => {
    const late: (() => Promise<unknown>)[] = [];
    await impersonate(async ({ id, data }) => {
      const asker = 'dsync-api';
      const verdict = await genuineSigner(LIVE, { asker, ...questionOf(id, data) });
      const reply = await sealedReply(id, asker, verdict);
      late.push(() => publish(`${pattern}.reply`, reply));
    });
    expect((await send('dsync-api', admin)).status).toBe(504);
    await Promise.all(late.map((reply) => reply()));
    expect((await send('dsync-api', admin)).status).toBe(504);
  });
});
