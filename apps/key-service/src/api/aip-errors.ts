import { type DomainError, type ErrorKind } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';

const ERROR_DOMAIN = 'keys.gatehouse';

const STATUS_BY_KIND: Readonly<Record<ErrorKind, string>> = {
  invalid_argument: 'INVALID_ARGUMENT',
  unauthenticated: 'UNAUTHENTICATED',
  payment_required: 'PERMISSION_DENIED',
  permission_denied: 'PERMISSION_DENIED',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'INVALID_ARGUMENT',
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

interface AipErrorBody {
  error: { code: number; status: string; message: string; details: Record<string, unknown>[] };
}

function aipErrorBody(error: DomainError, requestId: string): AipErrorBody {
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

/** Errors as AIP-193 defines them. Messages over Redis carry the message only. */
export const AIP_ERRORS: ErrorProtocol = {
  mediaType: 'application/json; charset=utf-8',
  body: aipErrorBody,
  messageBody: ({ message }) => ({ status: 'error', message }),
};
