/** IP addresses and networks without node:net, as Gatehouse compares them. */

/** No address at all (RFC 4291, section 2.5.2). No key is bound to it, so keys with networks are refused. */
export const UNSPECIFIED = '::';

const IPV4_BITS = 32n;
const MAPPED = 0xffffn;
const TEXT_MAX = 45;

/** The 128 bits of an address, IPv4 as IPv4-mapped (RFC 4291, section 2.5.5.2); undefined for other texts. */
export function addressBits(text: string): bigint | undefined {
  if (text.length > TEXT_MAX) return undefined;
  if (!text.includes(':')) return mapped(ipv4Bits(text));
  const [, start, dotted] = /^(.*:)(\d+\.[\d.]+)$/.exec(text) ?? [];
  if (start === undefined || dotted === undefined) return ipv6Bits(text);
  const low = ipv4Bits(dotted);
  return low === undefined
    ? undefined
    : ipv6Bits(`${start}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`);
}

/** Whether a network such as `192.0.2.0/24` has an address. ::/0 has no IPv4 address. */
export function isInNetwork(address: bigint, cidr: string): boolean {
  const network = networkOf(cidr);
  if (network === undefined) return false;
  const { bits, hostBits } = network;
  if (isMapped(address) && hostBits > IPV4_BITS) return false;
  return address >> hostBits === bits >> hostBits;
}

/** Undefined unless the text is a network; an address alone is not. */
export function networkOf(cidr: string): { bits: bigint; hostBits: bigint } | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const bits = addressBits(address);
  const max = address.includes(':') ? 128 : 32;
  if (bits === undefined || Number(length) > max) return undefined;
  return { bits, hostBits: BigInt(max - Number(length)) };
}

function isMapped(address: bigint): boolean {
  return address >> IPV4_BITS === MAPPED;
}

function mapped(ipv4: bigint | undefined): bigint | undefined {
  return ipv4 === undefined ? undefined : (MAPPED << IPV4_BITS) | ipv4;
}

function ipv4Bits(text: string): bigint | undefined {
  const parts = text.split('.');
  const isAddress = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  if (!isAddress || parts.some((part) => Number(part) > 255)) return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function ipv6Bits(text: string): bigint | undefined {
  const [head = [], tail, ...more] = text
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')));
  const omitted = 8 - head.length - (tail?.length ?? 0);
  if (more.length > 0 || (tail === undefined ? omitted !== 0 : omitted < 1)) return undefined;
  const groups = [...head, ...Array<string>(omitted).fill('0'), ...(tail ?? [])];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}
