import { type DomainError, toDomainError } from '@gatehouse/service-kit';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

/** Everything that a management route throws, as `{"data": null, "error": {"message", "code"}}`. */
@Catch()
export class ManagementFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const fault = toDomainError(thrown);
    this.logger[fault.logLevel]({ err: thrown, requestId: request.id }, 'request refused');
    void sendFault(http.getResponse<FastifyReply>(), fault, request.id);
  }
}

function sendFault(reply: FastifyReply, fault: DomainError, requestId: string): FastifyReply {
  reply.headers(fault.headers);
  if (fault.retryAfterSeconds !== undefined) reply.header('Retry-After', fault.retryAfterSeconds);
  const code = fault.httpStatus;
  const message = code >= 500 ? `${fault.message} Request ${requestId}.` : fault.message;
  return reply.status(code).send({ data: null, error: { message, code } });
}
