import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { AdminAuth, type AdminCaller } from './admin-auth.js';

const CALLER = Symbol('gatehouse:adminCaller');

type RequestWithCaller = FastifyRequest & { [CALLER]?: AdminCaller };

/** Lets only administrators through to a controller; native Fastify routes call AdminAuth. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly auth: AdminAuth) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    request[CALLER] = await this.auth.authorize(request);
    return true;
  }
}

/** The administrator whom AdminGuard let through. */
export function adminCallerOf(request: FastifyRequest): AdminCaller {
  const caller = (request as RequestWithCaller)[CALLER];
  if (!caller) throw new Error('adminCallerOf was called on a route without AdminGuard');
  return caller;
}
