/**
 * Resolves the names of receivers by DNS alone, without the thread pool of the process: names that
 * answer slowly would take its few threads from the names of everyone else.
 */
import { type LookupAddress, type lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Both tries, the second twice as long, fit into the time that a connection may take. */
const TIMEOUT_MS = 1_000;
const TRIES = 2;

/**
 * In the form of `dns.lookup`, with all addresses. Reads neither /etc/hosts nor search domains.
 *
 * @param servers by default those of the system
 */
export function dnsResolver(servers?: readonly string[]): typeof lookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const resolve = async (name: string): Promise<LookupAddress[]> => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason as Error;
    return addresses;
  };
  return ((name: string, _options: unknown, callback: (...answer: unknown[]) => void) => {
    resolve(name).then(
      (addresses) => callback(null, addresses),
      (error: unknown) => callback(error, []),
    );
  }) as unknown as typeof lookup;
}
