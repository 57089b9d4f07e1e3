/** Building blocks for the operations of the API description. */
import { reference } from './form-schemas.js';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Cannot be read, or a parameter is wrong; the problem names it.',
  401: 'No valid admin credential.',
  403: 'Not for this caller.',
  404: 'There is none.',
  409: 'The id is taken.',
  410: 'Expired, or already submitted.',
  413: 'Over a limit, which the problem names.',
  415: 'A media type, charset or content coding that is not read.',
  422: 'Values that do not fit; the problem names each.',
};

export function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: object,
  more: object = {},
): object {
  return { name, in: place, ...(place === 'path' && { required: true }), schema, ...more };
}

export function json(schema: string): object {
  return { 'application/json': { schema: reference(schema) } };
}

export const PAGE = { 'text/html': { schema: { type: 'string' } } };

/** Problem documents by status, and the default for 5xx. */
export function problems(...statuses: readonly number[]): Record<string, object> {
  const content = { 'application/problem+json': { schema: reference('Problem') } };
  const entries = statuses.map((status) => [
    status,
    { description: MEANINGS[status] ?? 'Refused.', content },
  ]);
  return {
    ...(Object.fromEntries(entries) as Record<string, object>),
    default: { description: 'Not now, or a fault of ours.', content },
  };
}

/** As `problems`, with a page as the alternative for browsers. */
export function pageProblems(...statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    Object.entries(problems(...statuses)).map(([status, problem]) => [
      status,
      { ...problem, content: { ...(problem as { content: object }).content, ...PAGE } },
    ]),
  );
}
