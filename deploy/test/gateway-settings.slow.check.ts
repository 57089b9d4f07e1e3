/** Gateway settings in a real nginx: their effects, and that invalid ones are named. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gatehouse/testing';
import { gatewayCommand } from '#local-stack/gateway.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { startTestGateway, type TestGateway, type TestGatewaySettings } from './test-gateway.js';
import { startNameServer } from './name-server.js';
import { type Received, type Send, sender, type StandIn, startStandIn } from './stand-in.js';

let service: StandIn;
let folder: string;
let gateway: TestGateway | undefined;
let send: Send;
let sendAsAdmin: Send;

beforeAll(async () => {
  service = await startStandIn('a service');
});
afterAll(() => service.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-settings-'));
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(settings: TestGatewaySettings): Promise<void> {
  const host = `127.0.0.1:${service.port}`;
  const services = { KEY_SERVICE: host, DSYNC_API: host, IDENTITY_FORMS: host };
  gateway = await startTestGateway(folder, { ...services, ...settings });
  send = sender(Number(new URL(gateway.url).port));
  sendAsAdmin = sender(Number(new URL(gateway.adminUrl).port));
}

it.each(['', '127.0.0.1'])('without CONSOLE, its paths are 404 (RESOLVER=%s)', async (resolver) => {
  await start({ CONSOLE: '', RESOLVER: resolver });
  for (const path of ['/console', '/console/', '/console/keys']) {
    const { status, body } = await sendAsAdmin(path);
    assert.deepEqual([status, body.service], [404, undefined], path);
  }
});

describe('TRUSTED_PROXIES', () => {
  const clientOf = async (headers: Record<string, string>) => {
    const { body } = await send('/flows/a', { headers });
    const { 'x-forwarded-for': address, 'x-forwarded-proto': scheme } = body.headers;
    assert.equal(body.headers['x-real-ip'], address);
    return [address, scheme];
  };

  it('from them, the last address that is not theirs is the client, with its scheme', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.0/8, 10.1.0.0/16 2001:db8::/32' });
    const https = { 'x-forwarded-proto': 'https' };
    for (const [chain, client] of [
      ['203.0.113.7', '203.0.113.7'],
      ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
      ['198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
      ['203.0.113.7, 2001:db8::1, 10.1.2.3', '203.0.113.7'],
      ['2a00::1, 10.1.2.3', '2a00::1'],
      ['nonsense', '127.0.0.1'],
    ] as const) {
      const found = await clientOf({ 'x-forwarded-for': chain, ...https });
      assert.deepEqual(found, [client, 'https'], chain);
    }
    const odd = await clientOf({ 'x-forwarded-proto': 'gopher' });
    assert.deepEqual(odd, ['127.0.0.1', 'http']);
  });

  it('from others, nothing is believed', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
    assert.deepEqual(await clientOf(headers), ['127.0.0.1', 'http']);
  });
});

describe('limits of a client', () => {
  /** Sends this many requests in the name of a client. */
  const burst = (count: number, client: string, path: string, more: Record<string, string> = {}) =>
    Promise.all(
      Array.from({ length: count }, () =>
        send(path, { headers: { 'x-forwarded-for': client, ...more } }),
      ),
    );
  const refused = (answers: Received[]) => answers.filter(({ status }) => status === 429);

  it('an anonymous client over its limit gets 429 with Retry-After, and others are served', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1', ANONYMOUS_REQUESTS_PER_SECOND: '1' });
    for (const [path, type] of [
      ['/sign-up', 'application/problem+json'],
      ['/v2alpha1/apiKeys:selfRevoke', 'application/json'],
      ['/api/scim/v2.0/1/Users', 'application/scim+json'],
    ] as const) {
      const answers = refused(await burst(12, `192.0.2.${path.length}`, path));
      assert.ok(answers.length >= 5, path);
      assert.equal(answers[0]?.headers['content-type'], type);
      assert.equal(answers[0]?.headers['retry-after'], '1');
      assert.ok(JSON.stringify(answers[0]?.body).includes('429'));
    }
    const pages = refused(await burst(12, '192.0.2.201', '/portal/a', { accept: 'text/html' }));
    assert.equal(pages[0]?.headers['content-type'], 'text/html; charset=utf-8');
    assert.ok(pages[0]?.body.includes('Too many requests'));
    assert.equal((await burst(1, '192.0.2.200', '/sign-up'))[0]?.status, 200);
  });

  it('a client with a credential has the larger limit for SCIM', async () => {
    await start({
      TRUSTED_PROXIES: '127.0.0.1',
      REQUESTS_PER_SECOND: '10',
      ANONYMOUS_REQUESTS_PER_SECOND: '1',
    });
    const credential = { authorization: 'Bearer a' };
    const path = '/api/scim/v2.0/1/Users';
    assert.equal(refused(await burst(20, '192.0.2.1', path, credential)).length, 0);
    assert.ok(refused(await burst(20, '192.0.2.1', path, credential)).length > 0);
  });

  it('addresses of one IPv6 /64 are one client, those of IPv4 are not', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1', ANONYMOUS_REQUESTS_PER_SECOND: '1' });
    const oneEach = async (addresses: string[]) => {
      const answers = await Promise.all(addresses.map((each) => burst(1, each, '/sign-up')));
      return refused(answers.flat()).length;
    };
    const addresses = (prefix: string) => Array.from({ length: 20 }, (_, n) => prefix + (n + 10));
    assert.ok((await oneEach(addresses('2001:db8:1:2::'))) >= 10);
    assert.equal(await oneEach(addresses('2001:db8:1:').map((each) => `${each}::1`)), 0);
    assert.equal(await oneEach(addresses('192.0.2.')), 0);
    assert.equal(await oneEach(addresses('::ffff:192.0.2.')), 0);
  });

  it('connections over CONNECTIONS_PER_CLIENT are refused', async () => {
    const waiting: (() => void)[] = [];
    const slow = await startStandIn('slow', (_, response) => {
      waiting.push(() => response.end('{}'));
      return true;
    });
    try {
      await start({ IDENTITY_FORMS: `127.0.0.1:${slow.port}`, CONNECTIONS_PER_CLIENT: '2' });
      const held = [send('/sign-up'), send('/sign-up')];
      await eventually(() => expect(waiting).toHaveLength(2));
      assert.equal((await send('/sign-up')).status, 429);
      for (const finish of waiting) finish();
      for (const answer of held) assert.equal((await answer).status, 200);
    } finally {
      slow.close();
    }
  });

  it('the admin surface has none, and the defaults let an identity provider work', async () => {
    await start({
      REQUESTS_PER_SECOND: '',
      ANONYMOUS_REQUESTS_PER_SECOND: '',
      CONNECTIONS_PER_CLIENT: '',
    });
    const many = await burst(200, '192.0.2.1', '/api/scim/v2.0/1/Users', { authorization: 'B a' });
    assert.equal(refused(many).length, 0);
    await gateway?.close();
    await start({ REQUESTS_PER_SECOND: '1', CONNECTIONS_PER_CLIENT: '1' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => sendAsAdmin('/v2alpha1/admin/apiKeys:verify')),
    );
    assert.equal(refused(answers).length, 0);
  });
});

it('RESOLVER: a service that has moved to another address is found without a restart', async () => {
  const nowhere = '127.0.0.2';
  const names = await startNameServer(nowhere);
  try {
    await start({
      RESOLVER: `127.0.0.1:${names.port}`,
      IDENTITY_FORMS: `forms.example:${service.port}`,
    });
    assert.equal((await send('/flows/a?b=c')).status, 503);
    names.answerWith('127.0.0.1');
    await eventually(
      async () => expect((await send('/flows/a?b=c')).body.url).toBe('/flows/a?b=c'),
      { timeoutMs: 15_000 },
    );
  } finally {
    names.close();
  }
});

describe('invalid settings', () => {
  const failure = (settings: Record<string, string>) => {
    const services = { KEY_SERVICE: 'a:1', DSYNC_API: 'b:1', IDENTITY_FORMS: 'c:1' };
    const program = process.env['NGINX_PATH'] ?? 'nginx';
    const { args, env } = gatewayCommand(program, folder, {
      PATH: process.env['PATH'],
      ...services,
      ...settings,
    });
    const { status, stderr } = spawnSync('sh', args, { env, encoding: 'utf8', timeout: 10_000 });
    return { status, stderr };
  };

  it.each([
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '010.0.0.1',
    '10.0.0.1/',
    'proxy.example',
    '1.2.3.4;',
    '2001:db8::/129',
    '1::2::3',
    ':::',
    '12345::',
    '1:2:3:4:5:6:7',
    '2001:db8::g',
    '*',
    '/8',
  ])('TRUSTED_PROXIES=%s ends the gateway with 78 and its name', (value) => {
    const { status, stderr } = failure({ TRUSTED_PROXIES: `10.0.0.0/8 ${value}` });
    assert.equal(status, 78);
    assert.ok(
      stderr.startsWith(`gateway: TRUSTED_PROXIES is "${value}"; it must be a list`),
      stderr,
    );
  });

  it.each<[string, string, Record<string, string>?]>([
    ['REQUESTS_PER_SECOND', '08'],
    ['KEY_SERVICE', '127.0.0.1:1 127.0.0.1:2', { RESOLVER: '127.0.0.1' }],
  ])('%s=%s ends the gateway with 78 and its name', (name, value, more = {}) => {
    const { status, stderr } = failure({ [name]: value, ...more });
    assert.equal(status, 78);
    assert.ok(stderr.startsWith(`gateway: ${name} is "${value}"`), stderr);
  });

  it('all are reported at once', () => {
    const { status, stderr } = failure({
      REQUESTS_PER_SECOND: 'many',
      CONNECTIONS_PER_CLIENT: '-1',
      WORKERS: '0',
      KEY_SERVICE: 'a:1; evil',
      RESOLVER: '$x',
      ACCESS_LOG: 'a b',
    });
    assert.equal(status, 78);
    const named = [...stderr.matchAll(/^gateway: (\w+) is/gm)].map(([, name]) => name);
    const all = ['REQUESTS_PER_SECOND', 'CONNECTIONS_PER_CLIENT', 'WORKERS', 'KEY_SERVICE'];
    assert.deepEqual(named, [...all, 'RESOLVER', 'ACCESS_LOG']);
  });
});

it('a service that is away leaves no query in the log of errors', async () => {
  await start({ DSYNC_API: '127.0.0.1:1', IDENTITY_FORMS: '127.0.0.1:1' });
  for (const sending of [
    send('/api/scim/v2.0/d/Users?filter=userName%20eq%20%22alice@example.com%22'),
    sendAsAdmin('/v1/identities?email=alice@example.com'),
  ]) {
    assert.equal((await sending).status, 503);
  }
  assert.ok(!gateway?.log().includes('alice'), gateway?.log());
});

it('docs/operations.md has the default of each setting', () => {
  const script = readFileSync(join(workspace, 'deploy/gateway/start.sh'), 'utf8');
  const page = readFileSync(join(workspace, 'docs/operations.md'), 'utf8');
  for (const [, name = '', value = ''] of script.matchAll(/"\$\{(\w+):=([^}]*)\}"/g)) {
    if (/LISTEN|NGINX_PATH/.test(name)) continue;
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    const shown = row.split('|')[2]?.trim().replaceAll('`', '');
    assert.equal(shown, value || 'none', name);
  }
});
