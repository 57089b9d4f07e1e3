/**
 * Resolve the names of receivers without the thread pool of the process: names that answer slowly would
 * take its few threads from the names of everyone else.
 */
import { lookup, type LookupAddress, promises as dns, TIMEOUT } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { promisify } from 'node:util';
import { Semaphore } from '../tasks/index.js';

/** Finds all addresses of a name. Fails as `dns.lookup` does. */
export type NameResolver = (name: string) => Promise<LookupAddress[]>;

/** Both tries, the second twice as long, fit into the time that a connection may take. */
const TIMEOUT_MS = 1_000;
const TRIES = 2;
/** Of the four threads of the pool. */
const SYSTEM_LOOKUPS_MAX = 2;
const SYSTEM_WAIT_MS_MAX = 3_000;

/**
 * Resolves public names: by DNS alone, which reads neither /etc/hosts nor search domains.
 *
 * @param servers by default those of the system
 */
export function dnsResolver(servers?: readonly string[]): NameResolver {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason as Error;
    return addresses;
  };
}

/**
 * Resolves any name of a private network: by the file of hosts, then by DNS. The system, which also knows
 * search domains, is asked for names without a dot and for those that DNS does not know; never for names
 * whose servers do not answer.
 */
export function systemResolver(
  byDns: NameResolver = dnsResolver(),
  hostsFile = '/etc/hosts',
): NameResolver {
  const systemLookups = new Semaphore({ max: SYSTEM_LOOKUPS_MAX, waitMsMax: SYSTEM_WAIT_MS_MAX });
  const bySystem: NameResolver = (name) =>
    systemLookups.run(() => promisify(lookup)(name, { all: true }));
  return async (name) => {
    const listed = hostsOf(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    if (listed.length > 0) return listed;
    if (!name.includes('.')) return bySystem(name);
    try {
      return await byDns(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === TIMEOUT) throw error;
      return bySystem(name);
    }
  };
}

/** The addresses of a name in a file of hosts (hosts(5)). */
function hostsOf(text: string, name: string): LookupAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isListed = names.some((each) => each.toLowerCase() === name.toLowerCase());
    return isListed ? [{ address, family: isIPv6(address) ? 6 : 4 }] : [];
  });
}
