import { errorCodes } from '@gatehouse/kit/errors';

/** Errors of identity forms; the code is a member of the problem document. */
export const FormsErrors = errorCodes({
  SCHEMA_NOT_FOUND: { kind: 'not_found', message: 'The schema does not exist.' },
  SCHEMA_EXISTS: { kind: 'already_exists', message: 'The schema already exists.' },
  SCHEMA_REFUSED: {
    kind: 'unprocessable',
    message: 'The schema cannot be used. Each entry of "errors" says where and why.',
  },
  IDENTITY_NOT_FOUND: { kind: 'not_found', message: 'The identity does not exist.' },
  IDENTITY_EXISTS: { kind: 'already_exists', message: 'An identity with this id already exists.' },
  KEY_LINK_NOT_FOUND: { kind: 'not_found', message: 'Identities have no key link.' },
  TRAITS_REFUSED: { kind: 'unprocessable', message: 'The traits do not match the schema.' },
  FORM_REFUSED: { kind: 'unprocessable', message: 'Some values do not match the schema.' },
  WEBHOOKS_NOT_CONFIGURED: {
    kind: 'failed_precondition',
    message: 'Webhooks are disabled. Set ENCRYPTION_KEYS to enable them.',
  },
  FLOW_NOT_FOUND: { kind: 'not_found', message: 'The flow does not exist.' },
  FLOW_EXPIRED: { kind: 'gone', message: 'The flow has expired. Start a new one.' },
  TOO_MANY_SUBMISSIONS: {
    kind: 'rate_limited',
    message: 'Too many submissions. Try again later.',
  },
  FLOW_ELSEWHERE: {
    kind: 'permission_denied',
    message: 'The flow was opened in another browser.',
  },
  FLOW_USED: { kind: 'gone', message: 'The flow has already been submitted.' },
  CSRF: {
    kind: 'permission_denied',
    message: 'The submission was refused: it did not come from the form.',
  },
  BODY: { kind: 'invalid_argument', message: 'The request body must be a JSON object.' },
  ENCODING: { kind: 'invalid_argument', message: 'The form is not encoded in UTF-8.' },
  JSON: { kind: 'invalid_argument', message: 'The JSON text is malformed.' },
  JSON_RESERVED: {
    kind: 'invalid_argument',
    message: 'The JSON text has a member with a reserved name.',
  },
  JSON_DUPLICATE: { kind: 'invalid_argument', message: 'The JSON text has a duplicate member.' },
  MULTIPART: {
    kind: 'invalid_argument',
    message: 'The multipart body is malformed or incomplete.',
  },
  FILE_PART: { kind: 'invalid_argument', message: 'A part of the multipart body is a file.' },
  LIMIT_BODY: { kind: 'payload_too_large', message: 'The body is too large.' },
  LIMIT_FIELDS: { kind: 'payload_too_large', message: 'The form has too many fields.' },
  LIMIT_NAME: { kind: 'payload_too_large', message: 'The name of a field is too long.' },
  LIMIT_VALUE: { kind: 'payload_too_large', message: 'The value of a field is too long.' },
  LIMIT_DEPTH: { kind: 'invalid_argument', message: 'A value is nested too deeply.' },
  LIMIT_ROWS: { kind: 'invalid_argument', message: 'A list has too many rows.' },
  LIMIT_WORK: {
    kind: 'invalid_argument',
    message: 'A value has too many combinations to be read.',
  },
  MEDIA_TYPE_PARAMETER: {
    kind: 'unsupported_media_type',
    message: 'A parameter of the Content-Type has no value.',
  },
  CHARSET: { kind: 'unsupported_media_type', message: 'The charset of a body must be UTF-8.' },
  CONTENT_ENCODING: {
    kind: 'unsupported_media_type',
    message: 'Send the body without a content coding.',
  },
});
