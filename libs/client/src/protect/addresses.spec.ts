import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import { addressBits, isInNetwork } from './addresses.js';

const byte = fc.nat({ max: 255 });
const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const address = fc.oneof(ipv4, fc.ipV6());
/** Characters of addresses in any order. */
const nonsense = fc.string({ unit: fc.constantFrom(...'0129af:./%x '), maxLength: 20 });

function isIn(text: string, cidr: string): boolean {
  const bits = addressBits(text);
  return bits !== undefined && isInNetwork(bits, cidr);
}

describe('addressBits', () => {
  it('reads the addresses that node:net reads, without zones, and no other text', () => {
    fc.assert(
      fc.property(fc.oneof(address, nonsense), (text) => {
        expect([text, addressBits(text) !== undefined]).toEqual([text, isIP(text) !== 0]);
      }),
    );
    expect(addressBits('fe80::1%eth0')).toBeUndefined();
    expect(addressBits('1:'.repeat(100_000))).toBeUndefined();
  });

  it('reads an IPv4-mapped address as IPv4', () => {
    expect(addressBits('::ffff:192.0.2.7')).toBe(addressBits('192.0.2.7'));
    expect(addressBits('::ffff:c000:207')).toBe(addressBits('192.0.2.7'));
  });
});

describe('isInNetwork', () => {
  it('compares as node:net does', () => {
    const sameFamily = fc.oneof(fc.tuple(ipv4, ipv4), fc.tuple(fc.ipV6(), fc.ipV6()));
    fc.assert(
      fc.property(sameFamily, fc.nat({ max: 128 }), ([one, other], length) => {
        const family = one.includes(':') ? 'ipv6' : 'ipv4';
        const bits = family === 'ipv6' ? length : length % 33;
        const list = new BlockList();
        list.addSubnet(one, bits, family);
        expect(isIn(other, `${one}/${bits}`)).toBe(list.check(other, family));
        expect(isIn(one, `${one}/${bits}`)).toBe(true);
      }),
    );
  });

  it.each([
    ['192.0.2.7', '::/0', false],
    ['192.0.2.7', '::ffff:192.0.2.0/120', true],
    ['::ffff:192.0.2.7', '192.0.2.0/24', true],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['::', '0.0.0.0/0', false],
    ['192.0.2.7', '192.0.2.7', false],
    ['192.0.2.7', '192.0.2.0/33', false],
    ['192.0.2.7', '', false],
  ])('%s in %s: %s', (text, cidr, expected) => expect(isIn(text, cidr)).toBe(expected));
});
