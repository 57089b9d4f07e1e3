import { AdminAuth, DomainError } from '@gatehouse/service-kit';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

/**
 * Lets in whoever holds one of API_KEYS, or a live key of the key service with the scope
 * `dsync:admin`. Every other credential is answered alike: a live key without the scope is none.
 */
@Injectable()
export class ManagementGuard implements CanActivate {
  constructor(private readonly auth: AdminAuth) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    try {
      await this.auth.authorize(request);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') throw error;
      throw new DomainError('unauthenticated', 'UNAUTHENTICATED', 'Unauthorized', {
        headers: { 'WWW-Authenticate': 'Api-Key' },
        cause: error,
      });
    }
  }
}
