/**
 * The keys with which limits count. Without permission to write them, the limits stay off. Unlike an outage,
 * this does not end by itself, so the readiness of a service reports it.
 */
import { type RedisClient } from '../../redis/redis-connection.js';

/** The commands of all scripts that count. */
const PROBE = `
redis.call('TIME')
redis.call('SET', KEYS[1], 0, 'PX', 1)
redis.call('INCR', KEYS[1])
redis.call('PTTL', KEYS[1])
redis.call('MGET', KEYS[1])`;
/** Of a key, or of a command that a script calls. */
const REFUSED = /NOPERM|The user executing the script can't/;

const prefixes = new WeakMap<RedisClient, Set<string>>();

/** Names keys that a limit counts with. */
export function needCountedKeys(redis: RedisClient, prefix: string): void {
  const needed = prefixes.get(redis) ?? new Set();
  prefixes.set(redis, needed.add(prefix));
}

/** The prefixes of keys with which the user of this connection may not count. Never throws. */
export async function refusedKeys(redis: RedisClient): Promise<string[]> {
  const refused: string[] = [];
  const probe = async (prefix: string) => {
    const error = await redis.eval(PROBE, 1, `${prefix}readiness`).catch(String);
    if (REFUSED.test(String(error))) refused.push(prefix);
  };
  await Promise.all([...(prefixes.get(redis) ?? [])].map(probe));
  return refused;
}
