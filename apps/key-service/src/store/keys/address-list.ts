import { BlockList, isIPv4, isIPv6 } from 'node:net';

const MAPPED_PREFIX = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
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
      const mapped = MAPPED_PREFIX.exec(address)?.[1];
      if (mapped !== undefined && Number(bits) >= MAPPED_BITS) {
        this.ipv4.addSubnet(mapped, Number(bits) - MAPPED_BITS, 'ipv4');
      } else if (isIPv6(address)) {
        this.ipv6.addSubnet(address, Number(bits), 'ipv6');
      } else {
        this.ipv4.addSubnet(address, Number(bits), 'ipv4');
      }
    }
  }

  /** False without an address. An IPv4-mapped IPv6 address counts as IPv4. */
  includes(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = MAPPED_PREFIX.exec(address)?.[1] ?? address;
    if (isIPv4(plain)) return this.ipv4.check(plain, 'ipv4');
    return isIPv6(plain) && this.ipv6.check(plain, 'ipv6');
  }
}
