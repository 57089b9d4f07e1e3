import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { webhook, WebhookError } from './index.js';

const SECRET = 'whsec_c2VjcmV0LW9mLXR3ZW50eS1ieXRlcw';
const OTHER = 'a secret of another form';
const EVENT = { event: 'user.created', data: { first_name: 'Zoë' }, id: 'event-1', sequence: 1 };
const BODY = JSON.stringify(EVENT);

function signed(body = BODY, secrets = [SECRET], ageSeconds = 0) {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signatures = secrets.map((secret) => {
    const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
    const content = `message.${timestamp}.${body}`;
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return {
    'webhook-id': 'message',
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

const requestOf = (body: string, headers: Record<string, string>) =>
  new Request('https://app.example.com/hook', { method: 'POST', headers, body });

async function statusOf(headers: Record<string, string>, body = BODY, secrets = [SECRET]) {
  const error = await webhook({ headers, body }, secrets, { bytesMax: 1_000 }).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof WebhookError ? error.status : undefined;
}

afterEach(() => jest.useRealTimers());

it('accepts the test vector of docs/webhooks.md, and ignores a ping', async () => {
  jest.useFakeTimers({ now: 1_763_647_407_000, doNotFake: ['nextTick', 'queueMicrotask'] });
  const headers = {
    'webhook-id': '01935c9a-7d1e-7c3f-9a55-2f0d8f1b6a11',
    'webhook-timestamp': '1763647407',
    'webhook-signature': 'v1,KLiWIzQ+F47Sm2DjjRtdSPf6R++Nbc//YlpkZ2sdSps=',
  };
  const body = '{"event":"webhook.ping","data":{"name":"Zoë"}}';
  expect(await webhook({ headers, body }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual([]);
});

it('reads a Request, a node:http request, bytes and text alike', async () => {
  const headers = signed();
  for (const request of [
    requestOf(BODY, headers),
    { headers, body: Readable.from([Buffer.from(BODY.slice(0, 9)), Buffer.from(BODY.slice(9))]) },
    { headers, body: Buffer.from(BODY) },
    { headers, body: BODY },
  ]) {
    expect(await webhook(request, SECRET)).toEqual([EVENT]);
  }
});

it('returns the events of a batch in order', async () => {
  const events = [1, 2, 3].map((sequence) => ({ ...EVENT, sequence }));
  const body = JSON.stringify(events);
  expect(await webhook({ headers: signed(body), body }, SECRET)).toEqual(events);
});

it('accepts either secret while one replaces the other, on both sides', async () => {
  expect(await statusOf(signed(BODY, [OTHER, SECRET]))).toBeUndefined();
  expect(await statusOf(signed(BODY, [OTHER]), BODY, [SECRET, OTHER])).toBeUndefined();
  expect(await statusOf(signed(BODY, [OTHER]))).toBe(401);
});

it('refuses what is altered, unsigned, too old or too new', async () => {
  const headers = signed();
  for (const [status, altered, body] of [
    [401, headers, `${BODY} `],
    [401, { ...headers, 'webhook-id': 'other' }],
    [401, { ...headers, 'webhook-timestamp': 'now' }],
    [401, { ...headers, 'webhook-signature': 'v1,' }],
    [401, { ...headers, 'webhook-signature': 'v1,*' }],
    [401, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') }],
    [401, {}],
    [401, signed(BODY, [SECRET], 310)],
    [401, signed(BODY, [SECRET], -310)],
    [undefined, signed(BODY, [SECRET], 290)],
  ] as const) {
    expect([altered, await statusOf(altered, body)]).toEqual([altered, status]);
  }
});

it('refuses a body that is too large, and a signed one that is not an event', async () => {
  const large = JSON.stringify({ ...EVENT, data: 'x'.repeat(1_000) });
  expect(await statusOf(signed(large), large)).toBe(413);
  for (const body of ['', '{', 'null']) expect(await statusOf(signed(body), body)).toBe(400);
});

it('checks few signatures, however many a stranger sends', async () => {
  const [signature, wrong] = [signed()['webhook-signature'], `v1,${'A'.repeat(43)}=`];
  const among = (count: number) => ({
    ...signed(),
    'webhook-signature': [...Array.from({ length: count }, () => wrong), signature].join(' '),
  });
  expect([await statusOf(among(3)), await statusOf(among(4))]).toEqual([undefined, 401]);
});

it('says what is wrong with a missing secret and a parsed body', async () => {
  const request = { headers: signed(), body: BODY };
  await expect(webhook(request, [undefined, ''])).rejects.toThrow('secret of the webhook is miss');
  await expect(webhook(request, ['whsec_*'])).rejects.toThrow('no Base64 after whsec_');
  const parsed = { headers: signed(), body: EVENT };
  await expect(webhook(parsed, SECRET)).rejects.toThrow('The body was parsed');
});
