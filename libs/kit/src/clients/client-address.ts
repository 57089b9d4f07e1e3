import { type IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type ClientAddressSource = 'socket' | 'x-forwarded-for' | 'x-real-ip';

const FORWARDED_FOR_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** A network as ipaddr.js represents it: address and prefix length. */
export type Network = readonly [ParsedAddress, number];

/**
 * Reads a network in CIDR notation, IPv4 or IPv6.
 * @throws Error for other texts, including short and octal addresses such as 10/8
 */
export function parseNetwork(cidr: string): Network {
  const [text = ''] = cidr.split('/');
  if (!isIPv4(text) && !isIPv6(text)) throw new Error(`${cidr} is not a network in CIDR notation`);
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  return [address, prefix];
}

/** Whether a network contains an address. An IPv4-mapped IPv6 address counts as IPv4. */
export function isInNetwork(address: string, [network, prefixBits]: Network): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.kind() === network.kind() && parsed.match(network, prefixBits);
}

/**
 * The address of the client behind trusted proxies.
 *
 * `x-forwarded-for` is read from the right: the first address that is not a trusted proxy is the
 * client, so a client cannot forge it. If all of them are trusted proxies, the leftmost is the client.
 * Forwarded headers from other peers are ignored. Without the header, a trusted proxy is itself the
 * client.
 *
 * @param isTrusted whether a normalized address is that of a trusted proxy
 * @returns a normalized address, or undefined if the header has none
 */
export function clientAddress(
  request: IncomingMessage,
  source: ClientAddressSource,
  isTrusted: (address: string) => boolean,
): string | undefined {
  const peer = normalize(request.socket.remoteAddress);
  if (source === 'socket' || peer === undefined) return peer;
  const header = request.headers[source];
  if (header === undefined || !isTrusted(peer)) return peer;
  const given = Array.isArray(header) ? header.join(',') : header;
  if (source === 'x-real-ip') return normalize(given.trim());
  const hops = given.split(',');
  let farthest: string | undefined;
  for (const hop of hops.reverse()) {
    farthest = normalize(hop.trim());
    if (farthest === undefined || !isTrusted(farthest)) break;
  }
  return farthest;
}

/** The IPv4 address, or the /64 network of an IPv6 address: what one client usually has. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const { parts } = ipaddr.parse(address) as ipaddr.IPv6;
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/**
 * The /24 network of an IPv4 address, or the /48 network of an IPv6 address: enough to recognize a place, too
 * little to recognize a person. '' for any other text.
 */
export function placeNetwork(address: string): string {
  const plain = normalize(address);
  if (plain === undefined) return '';
  const bits = isIPv4(plain) ? 24 : 48;
  const network = isIPv4(plain) ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${network.networkAddressFromCIDR(`${plain}/${bits}`).toString()}/${bits}`;
}

/** Whether a proxy has added the address of its client. */
export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return FORWARDED_FOR_HEADERS.some((name) => headers[name] !== undefined);
}

/** Whether the peer of the socket is on the same machine. */
export function isLoopback(address: string | undefined): boolean {
  const normalized = normalize(address);
  return normalized !== undefined && ipaddr.parse(normalized).range() === 'loopback';
}

function normalize(address: string | undefined): string | undefined {
  // ipaddr.js also accepts octal and short IPv4 addresses; Node does not.
  if (address === undefined || isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  return ipaddr.process(address).toString();
}
