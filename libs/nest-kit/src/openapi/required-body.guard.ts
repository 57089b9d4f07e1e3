import { invalidField } from '@gatehouse/kit/input';
import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { operationOf } from './operation.js';

/** Refuses a request without the body that the description of a controller's method requires. */
export class RequiredBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context.getHandler());
    if (context.getType() !== 'http' || !operation?.body || operation.isBodyOptional) return true;
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body === undefined || body === null) throw invalidField('body', 'is required');
    return true;
  }
}
