import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { operationOf } from '@gatehouse/service-kit';
import { type FastifyRequest } from 'fastify';
import { RequestInput } from './input.js';

/** Refuses query parameters that the description of a controller's method does not have. */
@Injectable()
export class KnownParametersGuard implements CanActivate {
  constructor(private readonly input: RequestInput) {}

  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context.getHandler());
    if (context.getType() === 'http' && operation !== undefined) {
      const { query } = context.switchToHttp().getRequest<FastifyRequest>();
      const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
      this.input.checkParameters(
        query,
        parameters.map(({ name }) => name),
      );
    }
    return true;
  }
}
