import { DomainError, toDomainError } from '@gatehouse/service-kit';
import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { isScimAddress, sendScimFault } from '../scim/scim.routes.js';
import { type RouteMethods } from './route-methods.js';

/**
 * Everything that a management route throws, as `{"data": null, "error": {"message", "code"}}`;
 * also what the framework refuses before it knows a route, in the manner of the address.
 */
@Catch()
export class ManagementFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteMethods,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const fault = this.wrongMethod(thrown, request) ?? toDomainError(thrown);
    if (fault.httpStatus >= 500) {
      this.logger[fault.logLevel]({ err: fault.cause, requestId: request.id }, 'request failed');
    }
    const reply = http.getResponse<FastifyReply>();
    if (isScimAddress(request.raw.url ?? '')) sendScimFault(reply, request, fault);
    else sendFault(reply, fault, request.id);
  }

  private wrongMethod(thrown: unknown, request: FastifyRequest): DomainError | undefined {
    if (!(thrown instanceof NotFoundException)) return undefined;
    const allowed = this.routes.of(request.raw.url ?? '').filter((each) => each !== request.method);
    if (allowed.length === 0) return undefined;
    const allow = allowed.join(', ');
    return new DomainError('method_not_allowed', 'METHOD_NOT_ALLOWED', `Use ${allow}.`, {
      headers: { Allow: allow },
    });
  }
}

/** A fault as the management API has it; the id of the request is for those of the service. */
export function faultBody({ httpStatus: code, message }: DomainError, requestId: string): object {
  const text = code >= 500 ? `${message} Request ${requestId}.` : message;
  return { data: null, error: { message: text, code } };
}

function sendFault(reply: FastifyReply, fault: DomainError, requestId: string): void {
  reply.headers({ ...fault.headers });
  if (fault.retryAfterSeconds !== undefined) reply.header('Retry-After', fault.retryAfterSeconds);
  reply
    .status(fault.httpStatus)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(faultBody(fault, requestId)));
}
