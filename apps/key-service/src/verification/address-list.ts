import { BlockList, isIPv4, isIPv6 } from 'node:net';

const MAPPED_PREFIX = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const MAPPED_BITS = 96;

/** A set of networks that answers fast whether an address lies in one of them. */
export class AddressList {
  private readonly networks = new BlockList();

  /** Takes networks in CIDR notation that `isCidr` accepted. */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [address = '', bits = ''] = cidr.split('/');
      const mapped = MAPPED_PREFIX.exec(address)?.[1];
      if (mapped !== undefined && Number(bits) >= MAPPED_BITS) {
        this.networks.addSubnet(mapped, Number(bits) - MAPPED_BITS, 'ipv4');
      } else {
        this.networks.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
      }
    }
  }

  /** False without an address. An IPv4-mapped IPv6 address counts as its IPv4 one. */
  includes(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = MAPPED_PREFIX.exec(address)?.[1] ?? address;
    if (isIPv4(plain)) return this.networks.check(plain, 'ipv4');
    return isIPv6(plain) && this.networks.check(plain, 'ipv6');
  }
}
