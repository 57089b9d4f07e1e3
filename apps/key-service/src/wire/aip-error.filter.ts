// Errors as AIP-193 has them. Whatever was thrown, by our own code, Nest or Fastify, comes through
// here; a 5xx tells the caller nothing but the request id.
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { DomainError, type ErrorKind, toDomainError } from '@gatehouse/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

const ERROR_DOMAIN = 'keys.gatehouse';

const STATUS_BY_KIND: Readonly<Record<ErrorKind, string>> = {
  invalid_argument: 'INVALID_ARGUMENT',
  unauthenticated: 'UNAUTHENTICATED',
  payment_required: 'PERMISSION_DENIED',
  permission_denied: 'PERMISSION_DENIED',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'NOT_FOUND',
  request_timeout: 'DEADLINE_EXCEEDED',
  already_exists: 'ALREADY_EXISTS',
  failed_precondition: 'FAILED_PRECONDITION',
  gone: 'NOT_FOUND',
  precondition_failed: 'FAILED_PRECONDITION',
  payload_too_large: 'RESOURCE_EXHAUSTED',
  unsupported_media_type: 'INVALID_ARGUMENT',
  expectation_failed: 'INVALID_ARGUMENT',
  unprocessable: 'INVALID_ARGUMENT',
  rate_limited: 'RESOURCE_EXHAUSTED',
  header_too_large: 'INVALID_ARGUMENT',
  internal: 'INTERNAL',
  bad_gateway: 'UNAVAILABLE',
  unavailable: 'UNAVAILABLE',
  deadline_exceeded: 'DEADLINE_EXCEEDED',
};

export interface AipErrorBody {
  error: { code: number; status: string; message: string; details: Record<string, unknown>[] };
}

/** The body of an error answer. */
export function aipErrorBody(error: DomainError, requestId: string): AipErrorBody {
  const isOurFault = error.httpStatus >= 500;
  const metadata = isOurFault ? { request_id: requestId } : error.metadata;
  const details: Record<string, unknown>[] = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: error.code,
      domain: ERROR_DOMAIN,
      metadata,
    },
  ];
  if (error.violations.length > 0) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      field_violations: error.violations,
    });
  }
  return {
    error: {
      code: error.httpStatus,
      status: STATUS_BY_KIND[error.kind],
      message: error.message,
      details,
    },
  };
}

@Catch()
export class AipErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toDomainError(thrown);
    if (error.httpStatus >= 500) {
      this.logger[error.logLevel]({ requestId: request.id, err: error.cause }, 'request failed');
    }
    if (error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(error.retryAfterSeconds));
    }
    reply
      .headers({ ...error.headers })
      .status(error.httpStatus)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(aipErrorBody(error, request.id)));
  }
}
