import { type Exchange, redisExchange, type RedisExchangeOptions } from '@gatehouse/kit/exchange';
import { type Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

const CLOCK_WARNING_INTERVAL_MS = 60_000;

/** The part of a service definition that its exchange depends on. */
export interface ExchangeOwner {
  readonly name: string;
  readonly config: Pick<RedisExchangeOptions, 'redis'>;
  /** How messages are sealed, of a service that asks others. */
  readonly messages?: { readonly keys: readonly string[] };
}

/** Opens the exchange of a service. */
export type OpenExchange = (owner: ExchangeOwner, logger: Logger, registry: Registry) => Exchange;

/** The exchange of a service that shares its work with other processes. */
export const openRedisExchange: OpenExchange = ({ name, config, messages }, logger, registry) =>
  redisExchange({
    redis: config.redis,
    service: name,
    messageKeys: messages?.keys,
    logger,
    onClockDifference: clockWarning(logger, registry),
  });

/** Counts messages that are too old, or of the future, and warns once a minute. */
function clockWarning(logger: Logger, registry: Registry): (seconds: number) => void {
  const refused = new Counter({
    name: 'messages_refused_by_clock_total',
    help: 'Messages of other processes that were ignored because their time is too far from the clock.',
    registers: [registry],
  });
  let warnedAtMs = -Infinity;
  return (ageSeconds) => {
    refused.inc();
    const nowMs = performance.now();
    if (nowMs - warnedAtMs < CLOCK_WARNING_INTERVAL_MS) return;
    warnedAtMs = nowMs;
    logger.warn({ ageSeconds }, 'a message was ignored: the clocks of two processes differ');
  };
}
