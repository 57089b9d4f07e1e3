import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';

/** Errors of the management API: `{"data": null, "error": {"message", "code"}}`. */
export const MANAGEMENT_ERRORS: ErrorProtocol = {
  mediaType: 'application/json; charset=utf-8',
  body: ({ httpStatus: code, message }, requestId) => {
    const text = code >= 500 ? `${message} Request ${requestId}.` : message;
    return { data: null, error: { message: text, code } };
  },
};
