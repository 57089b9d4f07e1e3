/** What the page, its script and the samples read of an operation. */
import {
  type ApiDocument,
  type Content,
  type Endpoint,
  type Operation,
  type Response,
} from './document.js';

export function endpointsOf({ paths }: ApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** The service, as the tags of its operations begin. */
export function serviceOf({ tags: [tag] }: Operation): string {
  return tag.split(':', 1)[0] as string;
}

export interface Credential {
  /** The header that has it, after `Bearer`. */
  readonly header: string;
  /** What samples call it. */
  readonly variable: string;
}

/** By security scheme. All others are the key of an administrator. */
const CREDENTIALS: Readonly<Record<string, Credential>> = {
  adminHeader: { header: 'X-Admin-Authorization', variable: 'GATEHOUSE_KEY' },
  'scim-secret': { header: 'Authorization', variable: 'SCIM_SECRET' },
};

/** @returns undefined for operations that need none */
export function credentialOf({ security }: Operation): Credential | undefined {
  const [scheme] = Object.keys(security[0] ?? {});
  if (scheme === undefined) return undefined;
  return CREDENTIALS[scheme] ?? { header: 'Authorization', variable: 'GATEHOUSE_KEY' };
}

/** The first content of a body or a response: its type, schema and example. */
export function contentOf(
  message: Pick<Response, 'content'> | undefined,
): (Content & { type: string }) | undefined {
  const [first] = Object.entries(message?.content ?? {});
  return first && { type: first[0], ...first[1] };
}
