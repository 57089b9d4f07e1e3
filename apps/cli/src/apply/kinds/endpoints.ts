import { type EndpointEntry } from '../gatehouse-file.js';
import { type Fields } from '../plan.js';
import { resolved } from '../shape.js';
import { type Planning } from './kind.js';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly header_names: readonly string[];
}

/** Operations that keys, identities and each directory have. */
export interface EndpointOperations {
  list(): Promise<{ webhook_endpoints: readonly Endpoint[] }>;
  create(input: Fields & { url: string }): Promise<{ secret: string }>;
  update(input: Fields & { id: string }): Promise<unknown>;
  delete(input: { id: string }): Promise<unknown>;
}

/** Of headers, the names are compared: Gatehouse does not show their values, and neither the secret. */
export function planEndpoints(
  { plan, prune }: Planning,
  owner: string,
  {
    operations,
    entries,
    current,
  }: {
    operations: EndpointOperations;
    entries: readonly EndpointEntry[];
    current: readonly Endpoint[];
  },
): void {
  for (const { secret, headers, ...entry } of entries) {
    const known = current.find(({ url }) => url === entry.url);
    const sent = headers && mapped(headers, (reference) => resolved(reference) ?? '');
    const names = headers === undefined ? {} : { header_names: namesOf(headers) };
    plan.compare({
      object: `webhook endpoint ${entry.url} of ${owner}`,
      desired: { ...entry, ...names },
      current: known && { ...known, header_names: known.header_names.toSorted() },
      initial: { secret },
      create: async () => {
        const created = await operations.create({
          ...entry,
          headers: sent,
          secret: resolved(secret),
        });
        return secret === undefined ? created.secret : undefined;
      },
      change: ({ header_names: isOther, ...changes }) =>
        operations.update({
          id: known?.id ?? '',
          ...changes,
          ...(isOther ? { headers: sent } : {}),
        }),
    });
  }
  const urls = new Set(entries.map(({ url }) => url));
  for (const { id, url } of prune ? current : []) {
    if (urls.has(url)) continue;
    plan.remove(`webhook endpoint ${url} of ${owner}`, () => operations.delete({ id }));
  }
}

function namesOf(headers: Fields | null): string[] {
  return Object.keys(headers ?? {})
    .map((name) => name.toLowerCase())
    .sort();
}

function mapped(object: Record<string, string>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
