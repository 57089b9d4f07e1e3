import { type IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type ClientAddressSource = 'socket' | 'x-forwarded-for' | 'x-real-ip';

type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** A network as ipaddr.js reads it: address and prefix length. */
export type Network = readonly [ParsedAddress, number];

/**
 * Reads a network in CIDR notation, IPv4 or IPv6.
 * @throws Error when it is none, also for short or octal spellings of an address such as 10/8
 */
export function parseNetwork(cidr: string): Network {
  const [text = ''] = cidr.split('/');
  if (!isIPv4(text) && !isIPv6(text)) throw new Error(`${cidr} is not a network in CIDR notation`);
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  return [address, prefix];
}

/** Whether an address lies in a network; an IPv4-mapped IPv6 address counts as its IPv4 one. */
export function isInNetwork(address: string, [network, prefixBits]: Network): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.kind() === network.kind() && parsed.match(network, prefixBits);
}

/**
 * The address of the client behind the proxies that are trusted.
 *
 * `x-forwarded-for` is read from the right: the nearest hop that is not a trusted proxy is the
 * client, so that what a client writes into the header itself is never believed. Where all of them
 * are trusted, the farthest is. A forwarded header of a peer that is no trusted proxy is not looked
 * at.
 *
 * @returns a normalised address, or undefined when none can be told
 */
export function clientAddress(
  request: IncomingMessage,
  source: ClientAddressSource,
  trustedProxies: readonly Network[],
): string | undefined {
  const peer = normalise(request.socket.remoteAddress);
  if (source === 'socket' || peer === undefined) return peer;
  const isTrusted = (address: string) => trustedProxies.some((net) => isInNetwork(address, net));
  if (!isTrusted(peer)) return peer;
  if (source === 'x-real-ip') {
    const given = request.headers['x-real-ip'];
    return typeof given === 'string' ? normalise(given.trim()) : undefined;
  }
  const forwarded = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  let farthest: string | undefined;
  for (const hop of hops.reverse()) {
    farthest = normalise(hop.trim());
    if (farthest === undefined || !isTrusted(farthest)) break;
  }
  return farthest;
}

/** Whether the peer of the socket is this very machine. */
export function isLoopback(address: string | undefined): boolean {
  const normalised = normalise(address);
  return normalised !== undefined && ipaddr.parse(normalised).range() === 'loopback';
}

function normalise(address: string | undefined): string | undefined {
  // Node accepts only the normal spelling of an IPv4 address, ipaddr.js octal and short ones too.
  if (address === undefined || isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  return ipaddr.process(address).toString();
}
