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

/**
 * `application/scim+json`, unless the client accepts plain JSON only. A type with the weight 0 is not
 * accepted (RFC 9110, section 12.5.1).
 */
export function scimMediaType(accept: string | undefined): string {
  const accepted = (accept ?? '')
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';', 1)[0]?.trim());
  const onlyPlain =
    accepted.includes('application/json') && !accepted.includes('application/scim+json');
  return `${onlyPlain ? 'application/json' : 'application/scim+json'}; charset=utf-8`;
}
