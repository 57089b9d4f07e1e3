import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { LOGGER, toDomainError } from '@gatehouse/service-kit';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { throwError } from 'rxjs';
import { problemOf, sendProblem } from './problem.js';

/** The one place where what was thrown in a controller becomes an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): unknown {
    if (host.getType() === 'rpc') return throwError(() => problemOf(toDomainError(thrown), 'rpc'));
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    logFault(
      this.logger,
      sendProblem(thrown, request, http.getResponse<FastifyReply>()),
      request.id,
    );
    return undefined;
  }
}

/** Logs a fault as loudly as its kind asks for, with what is behind it. */
export function logFault(
  logger: Logger,
  error: ReturnType<typeof toDomainError>,
  requestId: string,
): void {
  const fields = { requestId, code: error.code, cause: describeCause(error.cause) };
  logger[error.logLevel](fields, 'request failed');
}

/** A database's error carries the values of its statement: people's answers, which no log may hold. */
export function describeCause(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { name, message, stack } = cause;
  return { name, message, code: (cause as { code?: unknown }).code, stack };
}
