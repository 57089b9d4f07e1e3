/** Errors as problem details (RFC 9457). */
import { pointerOfName } from '@gatehouse/form-decoder';
import { type ProblemDetail, type ProblemDocument } from '@gatehouse/schemas';
import { DomainError, type ErrorCode } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';

/** Values that do not fit: 422 with each fault, and with what was understood where that is known. */
export class InvalidValuesError extends DomainError {
  constructor(
    definition: ErrorCode,
    readonly errors: readonly ProblemDetail[],
    readonly members: Readonly<Record<string, unknown>> = {},
    message?: string,
  ) {
    super(definition, { message });
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

/** The members of a problem document. A 5xx shows only the request id. */
export function problemOf(error: DomainError, requestId: string): ProblemDocument {
  const status = error.httpStatus;
  const problem: Omit<ProblemDocument, 'request_id'> = {
    type: 'about:blank',
    title: TITLES[status],
    status,
  };
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
  return { ...problem, request_id: requestId };
}

/** Headers of every error, whether a problem document or a page. */
export const ERROR_HEADERS = { 'cache-control': 'no-store' };

export const PROBLEM_ERRORS: ErrorProtocol = {
  mediaType: 'application/problem+json; charset=utf-8',
  headers: ERROR_HEADERS,
  body: problemOf,
};
