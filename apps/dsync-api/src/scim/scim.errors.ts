import { scimMediaType } from '@gatehouse/directory-sync';
import { scimErrorBody } from '@gatehouse/scim';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import { type FastifyRequest } from 'fastify';

export const SCIM_PREFIX = '/api/scim/v2.0';
/** Clients that join base URL and path naively send `//`. */
export const SCIM_PREFIXES = [SCIM_PREFIX, `/${SCIM_PREFIX}`];

/**
 * Errors of SCIM addresses, also those that occur before a route is found. Undefined for other
 * addresses.
 */
export function scimErrorsOf({ raw, headers }: FastifyRequest): ErrorProtocol | undefined {
  return SCIM_PREFIXES.some((prefix) => (raw.url ?? '').startsWith(`${prefix}/`))
    ? scimErrors(headers.accept)
    : undefined;
}

/** Errors as RFC 7644, section 3.12 defines them, in a media type that the client accepts. */
export function scimErrors(accept: string | undefined): ErrorProtocol {
  return {
    mediaType: scimMediaType(accept),
    body: ({ httpStatus, message }) => ({ ...scimErrorBody(httpStatus, message) }),
  };
}
