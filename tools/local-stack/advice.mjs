// @ts-check
// What a person should know before a start, and what to do about it.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** Processes that want to run, for each core, from which a start takes minutes. */
const BUSY_FROM = 3;
/** Where systems take the ports of outgoing connections from. */
const LINUX_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
const OTHER_RANGE = [49_152, 65_535];

/**
 * @param {number} [load] processes that want to run
 * @param {number} [cores]
 * @returns {string | undefined} undefined if the machine has time
 */
export function busyAdvice(load = loadavg()[0] ?? 0, cores = availableParallelism()) {
  if (load < BUSY_FROM * cores) return undefined;
  const many = `${Math.round(load)} programs share ${cores} ${cores === 1 ? 'core' : 'cores'}`;
  return `This machine is busy: ${many}. A start may take minutes, or fail; end other programs, or try again later.`;
}

/**
 * @param {{ port: number }[]} ports of a stack
 * @param {number[]} [range] of outgoing connections
 * @returns {string | undefined} undefined if none of them is in the range
 */
export function portAdvice(ports, range = outgoingRange()) {
  const [first = 0, last = 0] = range;
  const endangered = ports.filter(({ port }) => port >= first && port <= last);
  const [{ port } = { port: 0 }] = endangered;
  if (endangered.length === 0) return undefined;
  const many = endangered.length === 1 ? `Port ${port} is` : `Port ${port} and others are`;
  return `${many} among those of outgoing connections (${first} to ${last}), so any program may take one at any time. Choose a lower base: npm start -- --port-base 18080`;
}

function outgoingRange() {
  try {
    return readFileSync(LINUX_RANGE, 'utf8').trim().split(/\s+/).map(Number);
  } catch {
    return OTHER_RANGE;
  }
}
