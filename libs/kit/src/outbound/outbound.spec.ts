import { createServer, type Server, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@gatehouse/testing';
import { isPublic, OutboundClient, outboundUrlFault } from './outbound.js';

describe('isPublic', () => {
  it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14'])(
    '%s is',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::c0a8:101',
    '::ffff:0:c0a8:101',
    '64:ff9b:1::c0a8:101',
    '200::1',
    '',
    'localhost',
  ])('%s is not', (address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe('outboundUrlFault', () => {
  const strict = { allowPrivate: false };

  it('accepts public addresses and names', () => {
    for (const url of ['https://example.com/hook?x=1', 'http://93.184.215.14:80/']) {
      expect(outboundUrlFault(url, strict)).toBeUndefined();
    }
  });

  it('accepts the ports 80 and 443 only, unless the policy names others', () => {
    for (const url of ['https://example.com:8443/', 'http://8.8.8.8:25/', 'http://8.8.8.8:6379/']) {
      expect(outboundUrlFault(url, strict)).toBe('must use one of the ports 80, 443');
      expect(outboundUrlFault(url, { allowPrivate: true })).toBeUndefined();
    }
    const policy = { allowPrivate: false, ports: [8443] };
    expect(outboundUrlFault('https://example.com:8443/', policy)).toBeUndefined();
    expect(outboundUrlFault('https://example.com/', policy)).toBe('must use one of the ports 8443');
  });

  it.each([
    'not a url',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@example.com/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::192.168.1.1]/',
    'http://localhost./',
    'http://app.localhost/',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('refuses %s', (url) => {
    expect(outboundUrlFault(url, strict)).toBeDefined();
  });
});

describe('OutboundClient', () => {
  // A name that passes the check of the URL but resolves to this machine.
  const resolveToLoopback = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

  let server: Server;
  let hits: number;
  let url: string;

  beforeEach(() => {
    hits = 0;
  });

  beforeAll(async () => {
    server = createServer((_request, response) => {
      hits++;
      response.end('x'.repeat(100_000));
    });
    url = `http://rebound.example:${await listenOnLoopback(server)}/`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('checks the address that a name resolves to at connection time', async () => {
    const policy = { allowPrivate: false, ports: [Number(new URL(url).port)] };
    expect(outboundUrlFault(url, policy)).toBeUndefined();
    const client = new OutboundClient(policy, resolveToLoopback);
    await expect(client.post(url, {}, '{}', 2_000)).rejects.toThrow(
      'the address is private, loopback or link-local',
    );
    expect(hits).toBe(0);
    await client.close();
  });

  it('does not queue requests per origin: many directories may share a slow receiver', async () => {
    const calls = 40;
    const held: ServerResponse[] = [];
    const slow = createServer((_request, response) => {
      held.push(response);
      if (held.length === calls) for (const each of held) each.end();
    });
    const address = `http://127.0.0.1:${await listenOnLoopback(slow)}/`;
    const client = new OutboundClient({ allowPrivate: true });
    const answers = await Promise.allSettled(
      Array.from({ length: calls }, () => client.post(address, {}, '{}', 10_000)),
    );
    await client.close();
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  });

  it('reads at most 64 KiB of a response', async () => {
    const client = new OutboundClient({ allowPrivate: true });
    const local = url.replace('rebound.example', '127.0.0.1');
    const { status, text } = await client.post(local, {}, '{}', 2_000);
    expect([status, text.length]).toEqual([200, 65_536]);
    await client.close();
  });
});
