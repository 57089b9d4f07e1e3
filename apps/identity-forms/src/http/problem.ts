/** Errors on the wire: RFC 9457 problem details. */
import { pointerOfName } from '@gatehouse/form-decoder';
import { DomainError, toDomainError } from '@gatehouse/service-kit';
import { type FastifyReply, type FastifyRequest } from 'fastify';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** One fault of a submitted value or of a schema. */
export interface ProblemDetail {
  /** JSON pointer (RFC 6901) to the value. */
  pointer: string;
  /** The form field's name, where there is one. */
  name?: string;
  code: string;
  /** The number that Kratos gives this message, where it has one. */
  id?: number;
  message: string;
  params?: Readonly<Record<string, unknown>>;
}

/** Values that do not fit: 422 with each fault, and with what was understood where that is known. */
export class InvalidValuesError extends DomainError {
  constructor(
    code: string,
    message: string,
    readonly errors: readonly ProblemDetail[],
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super('unprocessable', code, message);
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** The members of a problem document. A fault of ours (5xx) tells nothing but the request id. */
export function problemOf(error: DomainError, requestId: string): Record<string, unknown> {
  const status = error.httpStatus;
  const problem: Record<string, unknown> = { type: 'about:blank', title: TITLES[status], status };
  if (status < 500) {
    problem.detail = error.message;
    problem.code = error.code;
    if (Object.keys(error.metadata).length > 0) problem.params = error.metadata;
    if (error instanceof InvalidValuesError) {
      Object.assign(problem, { errors: error.errors }, error.members);
    } else if (error.violations.length > 0) {
      problem.errors = error.violations.map(({ field, description }) => ({
        pointer: field === '' ? '' : pointerOfName(field),
        name: field,
        code: 'invalid',
        message: description,
      }));
    }
  }
  problem.request_id = requestId;
  return problem;
}

/** Answers with a problem document, whatever was thrown, and returns what it was. */
export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): DomainError {
  const error = toDomainError(thrown);
  setErrorHeaders(error, reply);
  void reply
    .code(error.httpStatus)
    .header('content-type', PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problemOf(error, request.id)));
  return error;
}

export function setErrorHeaders(error: DomainError, reply: FastifyReply): void {
  for (const [name, value] of Object.entries(error.headers)) void reply.header(name, value);
  if (error.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(error.retryAfterSeconds));
  }
  void reply.header('cache-control', 'no-store');
}
