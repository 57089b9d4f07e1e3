import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type InputReader, nearestName } from '@gatehouse/kit/input';
import { operationOf } from './operation.js';

/**
 * Refuses query parameters that the description of a controller's method does not have. A described
 * name such as `trait.<path>` stands for all names that begin alike.
 */
export class KnownParametersGuard implements CanActivate {
  /** @param readerOf reads a query in the dialect of the service */
  constructor(private readonly readerOf: (query: object) => InputReader) {}

  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context.getHandler());
    if (context.getType() !== 'http' || operation === undefined) return true;
    const query = context.switchToHttp().getRequest<FastifyRequest>().query as object;
    if (Object.keys(query).length === 0) return true;
    const reader = this.readerOf(query);
    const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
    const names = parameters.map(({ name }) => name);
    const beginnings = names.filter((name) => name.endsWith('>')).map((name) => name.split('<')[0]);
    const open = Object.keys(query).filter((name) =>
      beginnings.some((each = '') => name.startsWith(each)),
    );
    reader.allow([...names, ...open]);
    if (beginnings.length > 0) refuseOthers(reader, query, [...names, ...open]);
    reader.throwIfInvalid();
    return true;
  }
}

/** Where names are open, as `trait.<path>` is, one without its beginning is near none of them. */
function refuseOthers(reader: InputReader, query: object, known: readonly string[]): void {
  const others = Object.keys(query).filter(
    (name) => !known.includes(name) && nearestName(name, known) === undefined,
  );
  reader.allow(others);
  const choice = known.filter((name) => !name.startsWith('page_')).join(', ');
  for (const name of others.slice(0, 16)) {
    reader.addViolation(
      name.slice(0, 64),
      `is not a known parameter; did you mean one of ${choice}?`,
      undefined,
    );
  }
}
