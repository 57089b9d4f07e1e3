import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { dnsResolver } from './public-names.js';

const TYPE_A = 1;
let server: Socket;
let resolve: (name: string) => Promise<unknown>;

/** Answers with 93.184.215.14, for names that begin with "none" with NXDOMAIN (RFC 1035). */
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
    server.send(answerTo(query), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const lookup = dnsResolver([`127.0.0.1:${server.address().port}`]);
  resolve = (name) =>
    new Promise((done, fail) =>
      lookup(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
    );
});
afterAll(() => server.close());

it('finds the addresses of a name by DNS', async () => {
  expect(await resolve('hooks.example.com')).toEqual([{ address: '93.184.215.14', family: 4 }]);
});

it('fails for a name that does not exist, and reads no file of hosts', async () => {
  await expect(resolve('none.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(await resolve('localhost')).not.toContainEqual({ address: '127.0.0.1', family: 4 });
});
