import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type InputReader } from '../input/input-reader.js';
import { operationOf } from './operation.js';

/** Refuses query parameters that the description of a controller's method does not have. */
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
    reader.allow(parameters.map(({ name }) => name));
    reader.throwIfInvalid();
    return true;
  }
}
