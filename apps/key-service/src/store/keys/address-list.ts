import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAPPED_BITS = 96;

/** A set of networks with a fast membership test. */
export class AddressList {
  // One list for each family: in a common list, ::/0 would include every IPv4 address.
  private readonly ipv4 = new BlockList();
  private readonly ipv6 = new BlockList();

  /** @param cidrs networks that `isCidr` accepts */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [address = '', bits = ''] = cidr.split('/');
      const plain = plainAddress(address);
      if (isIPv4(address)) this.ipv4.addSubnet(address, Number(bits), 'ipv4');
      else if (isIPv4(plain) && Number(bits) >= MAPPED_BITS) {
        this.ipv4.addSubnet(plain, Number(bits) - MAPPED_BITS, 'ipv4');
      } else this.ipv6.addSubnet(address, Number(bits), 'ipv6');
    }
  }

  /** False without an address. An IPv4-mapped IPv6 address counts as IPv4. */
  includes(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = plainAddress(address);
    if (isIPv4(plain)) return this.ipv4.check(plain, 'ipv4');
    return isIPv6(plain) && this.ipv6.check(plain, 'ipv6');
  }
}

/** The IPv4 address of an IPv4-mapped IPv6 address, however it is written. */
function plainAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = ipaddr.process(address);
  return plain.kind() === 'ipv4' ? plain.toString() : address;
}
