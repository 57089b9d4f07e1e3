import { InputReader, operationOf } from '@gatehouse/service-kit';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

/** Refuses query parameters that the description of the operation does not have. */
@Injectable()
export class KnownParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context.getHandler());
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    if (operation === undefined || Object.keys(query as object).length === 0) return true;
    const reader = InputReader.ofQuery(query as object, { unknown: 'refuse' });
    const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
    reader.allow(parameters.map(({ name }) => name));
    reader.throwIfInvalid();
    return true;
  }
}
