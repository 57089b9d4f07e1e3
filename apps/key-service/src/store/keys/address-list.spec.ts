import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { AddressList } from './address-list.js';

describe('AddressList', () => {
  it('agrees with ipaddr.js on every IPv4 network', () => {
    const bits = fc.integer({ min: 0, max: 32 });
    fc.assert(
      fc.property(fc.ipV4(), bits, fc.ipV4(), (network, length, address) => {
        const expected = ipaddr.parse(address).match(ipaddr.parseCIDR(`${network}/${length}`));
        const list = new AddressList([`${network}/${length}`]);
        expect(list.includes(address)).toBe(expected);
        expect(list.includes(`::ffff:${address}`)).toBe(expected);
        expect(list.includes(network)).toBe(true);
      }),
    );
  });

  it('agrees with ipaddr.js on every IPv6 network', () => {
    const plain = fc.ipV6().filter((text) => !text.includes('.') && !text.startsWith('::ffff'));
    fc.assert(
      fc.property(plain, fc.integer({ min: 0, max: 128 }), plain, (network, length, address) => {
        const expected = ipaddr.parse(address).match(ipaddr.parseCIDR(`${network}/${length}`));
        expect(new AddressList([`${network}/${length}`]).includes(address)).toBe(expected);
      }),
    );
  });

  it('treats IPv4-mapped IPv6 networks as IPv4', () => {
    const list = new AddressList(['::ffff:10.0.0.0/104']);
    expect([list.includes('10.9.9.9'), list.includes('11.0.0.1')]).toEqual([true, false]);
  });

  it.each(['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:7F00:0001', '0:0:0:0:0:ffff:7f00:1'])(
    'knows the IPv4-mapped address %s as a network and as a client',
    (mapped) => {
      expect(new AddressList([`${mapped}/128`]).includes('127.0.0.1')).toBe(true);
      expect(new AddressList(['127.0.0.1/32']).includes(mapped)).toBe(true);
      expect(new AddressList([`${mapped}/128`]).includes('127.0.0.2')).toBe(false);
    },
  );

  it('keeps the address families apart and refuses text that is no address', () => {
    const list = new AddressList(['0.0.0.0/0']);
    expect([list.includes('::1'), list.includes(undefined), list.includes('x')]).toEqual([
      false,
      false,
      false,
    ]);
    const sixes = new AddressList(['::/0']);
    expect(['192.0.2.1', '::ffff:192.0.2.1', '::1'].map((one) => sixes.includes(one))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
