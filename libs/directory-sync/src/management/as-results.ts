import { type SyncLogger } from '../sync-logger.js';
import { type Result, resultOf } from './result.js';

/** The methods of a service, which resolve to a Result where they throw. */
export type Results<Service> = {
  [Name in keyof Service]: Service[Name] extends (...input: infer Input) => Promise<infer Output>
    ? (...input: Input) => Promise<Result<Output>>
    : Service[Name];
};

/** Turns what the methods of a service throw into results; see resultOf. */
export function asResults<Service extends object>(
  service: Service,
  logger: SyncLogger,
): Results<Service> {
  return new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...input: unknown[]) =>
        resultOf(logger, async () => Reflect.apply(member, target, input) as Promise<unknown>);
    },
  }) as Results<Service>;
}
