import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  NotFoundException,
} from '@nestjs/common';
import { LOGGER, toDomainError } from '@gatehouse/service-kit';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { throwError } from 'rxjs';
import { IdentityFormsConfig } from '../config.js';
import { jsonBodyBytesMax } from './json-body.js';
import { namingBodyLimit } from './body-limit.js';
import { KnownRoutes } from './known-routes.js';
import { problemOf, sendProblem } from './problem.js';

/** The one place where what was thrown in a controller becomes an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly config: IdentityFormsConfig,
    private readonly routes: KnownRoutes,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): unknown {
    if (host.getType() === 'rpc') return throwError(() => problemOf(toDomainError(thrown), 'rpc'));
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const fault = this.faultOf(thrown, request.url);
    const error = sendProblem(fault, request, http.getResponse<FastifyReply>());
    logFault(this.logger, error, request.id);
    return undefined;
  }

  private faultOf(thrown: unknown, url: string): unknown {
    // Only the framework throws it: no route has this address, or none with this method.
    if (thrown instanceof NotFoundException) return this.routes.refusalAt(url) ?? thrown;
    return namingBodyLimit(thrown, jsonBodyBytesMax(this.config));
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
