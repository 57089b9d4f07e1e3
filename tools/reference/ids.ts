/** Ids that requests need, from the responses of others. */
import { type Endpoint } from './document.js';
import { variableOf } from './variables.js';

export interface KnownId {
  /** What samples call it. */
  readonly variable: string;
  readonly id: string;
}

/** Of what a request has created, or of what comes first in a list. */
export function idIn(
  body: unknown,
  { path }: Endpoint,
  endpoints: readonly Endpoint[],
): KnownId | undefined {
  const one = endpoints.find((each) => each.path.replace(/\{\w+\}$/, '') === `${path}/`);
  const [, parameter] = /\{(\w+)\}$/.exec(one?.path ?? '') ?? [];
  if (one === undefined || parameter === undefined) return undefined;
  const id = firstMember(body, parameter);
  return id === undefined ? undefined : { variable: variableOf(one.path, parameter), id };
}

/** The first text with this name, however deep. */
function firstMember(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Record<string, unknown>)[name];
  if (typeof found === 'string') return found;
  for (const member of Object.values(value)) {
    const inner = firstMember(member, name);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
