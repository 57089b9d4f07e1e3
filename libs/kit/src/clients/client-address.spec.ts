import { type IncomingMessage } from 'node:http';
import {
  clientAddress,
  clientNetwork,
  isForwarded,
  isInNetwork,
  isLoopback,
  parseNetwork,
  placeNetwork,
} from './client-address.js';

const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

const proxies = [parseNetwork('10.0.0.0/8'), parseNetwork('fd00::/8')];
const trusted = (address: string) => proxies.some((network) => isInNetwork(address, network));
const none = () => false;

describe('clientAddress', () => {
  it('uses the address of the socket, with IPv4-mapped addresses normalized', () => {
    expect(clientAddress(request('::ffff:192.0.2.7'), 'socket', none)).toBe('192.0.2.7');
    expect(clientAddress(request(undefined), 'socket', none)).toBeUndefined();
  });

  it('trusts a forwarded header only from a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    expect(clientAddress(request('203.0.113.9', headers), 'x-forwarded-for', trusted)).toBe(
      '203.0.113.9',
    );
    expect(clientAddress(request('10.0.0.1', headers), 'x-forwarded-for', trusted)).toBe(
      '198.51.100.1',
    );
  });

  it('reads the list from the right, so that a client cannot put an address before itself', () => {
    const headers = { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.2.3.4' };
    expect(clientAddress(request('10.0.0.1', headers), 'x-forwarded-for', trusted)).toBe(
      '198.51.100.1',
    );
  });

  it('uses the leftmost address if all are trusted, for clients in the network of the proxies', () => {
    const headers = { 'x-forwarded-for': '10.9.9.9, 10.2.3.4' };
    expect(clientAddress(request('10.0.0.1', headers), 'x-forwarded-for', trusted)).toBe(
      '10.9.9.9',
    );
  });

  it('returns no address where the header has none', () => {
    for (const value of [
      '',
      'unknown',
      '198.51.100.010',
      '3325256705',
      'x, 10.2.3.4',
      '198.51.100.1, _hidden',
    ]) {
      const headers = { 'x-forwarded-for': value };
      expect(clientAddress(request('10.0.0.1', headers), 'x-forwarded-for', trusted)).toBe(
        undefined,
      );
    }
  });

  it('reads X-Real-IP of a trusted proxy', () => {
    const headers = { 'x-real-ip': '2001:db8::1' };
    expect(clientAddress(request('fd00::1', headers), 'x-real-ip', trusted)).toBe('2001:db8::1');
  });
});

describe('without a forwarded header', () => {
  it.each(['x-forwarded-for', 'x-real-ip'] as const)(
    'from a trusted proxy, its own address counts: %s',
    (source) => expect(clientAddress(request('10.0.0.1', {}), source, trusted)).toBe('10.0.0.1'),
  );
});

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff::', '2001:db8:0:1::/64'],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(clientNetwork(address)).toBe(network));
});

describe('placeNetwork', () => {
  it.each([
    ['192.0.2.131', '192.0.2.0/24'],
    ['::ffff:192.0.2.131', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '::/48'],
    ['0300.0.2.1', ''],
    ['example.com', ''],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(placeNetwork(address)).toBe(network));
});

describe('isForwarded', () => {
  it.each(['forwarded', 'x-forwarded-for', 'x-real-ip'])('by %s, also an empty one', (name) => {
    expect(isForwarded(request('10.0.0.1', { [name]: '' }))).toBe(true);
    expect(isForwarded(request('10.0.0.1', { accept: '*/*' }))).toBe(false);
  });
});

describe('isInNetwork', () => {
  it.each([
    ['192.0.2.200', '192.0.2.0/24', true],
    ['::ffff:192.0.2.1', '192.0.2.0/24', true],
    ['192.0.3.1', '192.0.2.0/24', false],
    ['2001:db8:1::5', '2001:db8:1::/48', true],
    ['192.0.2.1', '::/0', false],
    ['nonsense', '0.0.0.0/0', false],
  ])('%s in %s: %s', (address, cidr, expected) => {
    expect(isInNetwork(address, parseNetwork(cidr))).toBe(expected);
  });
});

describe('parseNetwork', () => {
  it.each(['10/8', '010.0.0.0/8', '0x0a000000/8', '10.0.0.0', '10.0.0.0/33', 'x/8', '/8'])(
    'refuses %s',
    (cidr) => {
      expect(() => parseNetwork(cidr)).toThrow();
    },
  );
});

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', false],
    [undefined, false],
  ])('%s: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});
