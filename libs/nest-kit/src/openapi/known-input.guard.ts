import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type InputOptions, InputReader, nearestName } from '@gatehouse/kit/input';
import { type Operation, operationOf } from './operation.js';

/**
 * Refuses query parameters that the description of a controller's method does not have, and every
 * member of a body where it has no body. A described name such as `trait.<path>` stands for all names
 * that begin alike.
 */
export class KnownInputGuard implements CanActivate {
  /** @param options how the service reads requests */
  constructor(private readonly options: InputOptions) {}

  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context.getHandler());
    if (context.getType() !== 'http' || operation === undefined) return true;
    const { query, body } = context.switchToHttp().getRequest<FastifyRequest>();
    this.checkQuery(query as object, operation);
    if (operation.body === undefined && this.options.unknown === 'refuse') {
      InputReader.of(body ?? {}, this.options).throwIfInvalid();
    }
    return true;
  }

  private checkQuery(query: object, operation: Operation): void {
    if (Object.keys(query).length === 0) return;
    const reader = InputReader.ofQuery(query, this.options);
    const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
    const names = parameters.map(({ name }) => name);
    const beginnings = names.filter((name) => name.endsWith('>')).map((name) => name.split('<')[0]);
    const open = Object.keys(query).filter((name) =>
      beginnings.some((each = '') => name.startsWith(each)),
    );
    reader.allow([...names, ...open]);
    if (beginnings.length > 0) refuseOthers(reader, query, [...names, ...open]);
    reader.throwIfInvalid();
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
