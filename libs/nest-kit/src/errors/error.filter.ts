import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { throwError } from 'rxjs';

import { type DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from './error-protocol.js';
import { toDomainError } from '@gatehouse/kit/errors';

/** Distinguishes a wrong method from an unknown path; implemented by `RouteTable`. */
export interface MethodRefusals {
  refusalOf(method: string, url: string): DomainError | undefined;
}

/** Is called before the response is sent; it must not throw. */
export type ErrorListener = (error: DomainError, request: FastifyRequest) => void;

/**
 * The only error handler: converts anything that was thrown to a `DomainError`, logs it and writes it
 * in the protocol of the service, for HTTP and for messages. Native routes use it through Fastify's
 * error handler.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly listeners: ErrorListener[] = [];

  constructor(
    private readonly protocol: ErrorProtocol,
    private readonly logger: Logger,
    private readonly methods: MethodRefusals,
  ) {}

  /** Adds a listener for the errors of HTTP requests. */
  listen(listener: ErrorListener): void {
    this.listeners.push(listener);
  }

  catch(thrown: unknown, host: ArgumentsHost): unknown {
    if (host.getType() === 'rpc') {
      const requestId = randomUUID();
      const error = toDomainError(thrown);
      this.log(error, requestId);
      const { protocol } = this;
      return throwError(() =>
        protocol.messageBody
          ? protocol.messageBody(error, requestId)
          : protocol.body(error, requestId),
      );
    }
    const http = host.switchToHttp();
    this.send(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return undefined;
  }

  /** Sends an error as the response. A scope with another protocol passes that one. */
  send(
    thrown: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    scopeProtocol: ErrorProtocol = this.protocol,
  ): void {
    const protocol = scopeProtocol.variantOf?.(request) ?? scopeProtocol;
    // Only the framework throws this: no route has this path, or none has this method.
    const isUnrouted = thrown instanceof NotFoundException;
    const refusal = isUnrouted ? this.methods.refusalOf(request.method, request.url) : undefined;
    const found = refusal ?? toDomainError(thrown);
    const error = protocol.refine?.(found, request) ?? found;
    this.log(error, request.id);
    for (const listener of this.listeners) listener(found, request);
    const body = protocol.body(error, request.id, request);
    if (error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(error.retryAfterSeconds));
    }
    reply
      .status(error.httpStatus)
      .headers({ ...protocol.headers, ...error.headers, 'content-type': protocol.mediaType })
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Logs the error, including its cause, at the level of its kind. */
  log(error: DomainError, requestId: string): void {
    const { code, cause, logLevel } = error;
    this.logger[logLevel]({ requestId, code, err: cause }, 'request failed');
  }
}
