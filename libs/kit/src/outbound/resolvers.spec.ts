import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dnsResolver, type NameResolver, systemResolver } from './resolvers.js';

const TYPE_A = 1;
let server: Socket;
let resolve: NameResolver;

/**
 * Answers with 93.184.215.14, for names that begin with "none" with NXDOMAIN (RFC 1035), and for those that
 * begin with "mute" not at all.
 */
function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isKnown = query.toString('latin1', 13, 17) !== 'none';
  const hasAddress = isKnown && query.readUInt16BE(end - 4) === TYPE_A;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(hasAddress ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const record = Buffer.from('c00c000100010000003c00045db8d70e', 'hex');
  return Buffer.concat([head, query.subarray(12, end), hasAddress ? record : Buffer.alloc(0)]);
}

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const isMute = query.toString('latin1', 13, 17) === 'mute';
    if (!isMute) server.send(answerTo(query), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  resolve = dnsResolver([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => server.close());

it('finds the addresses of a name by DNS', async () => {
  expect(await resolve('hooks.example.com')).toEqual([{ address: '93.184.215.14', family: 4 }]);
});

it('fails for a name that does not exist, and reads no file of hosts', async () => {
  await expect(resolve('none.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(await resolve('localhost')).not.toContainEqual({ address: '127.0.0.1', family: 4 });
});

describe('in a private network', () => {
  let folder: string;
  let resolvePrivate: NameResolver;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
    const hostsFile = join(folder, 'hosts');
    writeFileSync(hostsFile, '# a comment\n10.0.0.7\tHooks.example.com hooks # here\n::7 hooks\n');
    resolvePrivate = systemResolver(resolve, hostsFile);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('the file of hosts wins over DNS, and DNS over the system', async () => {
    expect(await resolvePrivate('hooks.example.com')).toEqual([{ address: '10.0.0.7', family: 4 }]);
    expect(await resolvePrivate('hooks')).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: '::7', family: 6 },
    ]);
    expect(await resolvePrivate('other.example.com')).toEqual([
      { address: '93.184.215.14', family: 4 },
    ]);
  });

  it('a name without a dot, or that DNS refuses, is left to the system', async () => {
    const refusing = () => Promise.reject(Object.assign(new Error(), { code: 'ESERVFAIL' }));
    const resolveLocal = systemResolver(refusing, '/nowhere');
    const loopback = { address: '127.0.0.1', family: 4 };
    expect(await resolveLocal('localhost')).toContainEqual(loopback);
    expect(await resolveLocal('x.localhost').catch(({ code }) => code as string)).not.toBe(
      'ESERVFAIL',
    );
  });

  it('names without a response do not delay others', async () => {
    const mute = Array.from({ length: 50 }, (_, n) => resolvePrivate(`mute-${n}.example.com`));
    let ended = 0;
    const waiting = Promise.allSettled(mute.map((each) => each.finally(() => (ended += 1))));
    expect(await resolvePrivate('other.example.com')).toHaveLength(1);
    expect(ended).toBe(0);
    for (const { status } of await waiting) expect(status).toBe('rejected');
  });
});
