import { scimErrorBody } from '@gatehouse/scim';
import { type ErrorProtocol } from '@gatehouse/service-kit';
import { type FastifyRequest } from 'fastify';

export const SCIM_PREFIX = '/api/scim/v2.0';
/** Clients that join base URL and path naively send `//`. */
export const SCIM_PREFIXES = [SCIM_PREFIX, `/${SCIM_PREFIX}`];

/**
 * Errors of SCIM addresses (RFC 7644, section 3.12), also those that occur before a route is found.
 * Undefined for other addresses.
 */
export function scimErrorsOf({ raw, headers }: FastifyRequest): ErrorProtocol | undefined {
  return SCIM_PREFIXES.some((prefix) => (raw.url ?? '').startsWith(`${prefix}/`))
    ? {
        mediaType: scimMediaType(headers.accept),
        body: ({ httpStatus, message }) => ({ ...scimErrorBody(httpStatus, message) }),
      }
    : undefined;
}

/** `application/scim+json`, unless the client accepts plain JSON only. */
export function scimMediaType(accept: string | undefined): string {
  const wanted = (accept ?? '').toLowerCase();
  const onlyPlain = wanted.includes('application/json') && !wanted.includes('scim+json');
  return `${onlyPlain ? 'application/json' : 'application/scim+json'}; charset=utf-8`;
}
