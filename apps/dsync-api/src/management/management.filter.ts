import { DomainError, toDomainError } from '@gatehouse/service-kit';
import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { type RouteMethods } from './route-methods.js';

/** Everything that a management route throws, as `{"data": null, "error": {"message", "code"}}`. */
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
    sendFault(http.getResponse<FastifyReply>(), fault, request.id);
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

function sendFault(reply: FastifyReply, fault: DomainError, requestId: string): void {
  reply.headers({ ...fault.headers });
  if (fault.retryAfterSeconds !== undefined) reply.header('Retry-After', fault.retryAfterSeconds);
  const code = fault.httpStatus;
  const message = code >= 500 ? `${fault.message} Request ${requestId}.` : fault.message;
  reply
    .status(code)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ data: null, error: { message, code } }));
}
