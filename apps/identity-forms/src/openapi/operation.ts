/** Building blocks for the operations of the API description. */
import { contentOf, errorResponses } from '@gatehouse/service-kit';

const MEANINGS: Readonly<Record<number | 'default', string>> = {
  default: 'Not now, or a fault of ours.',
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

export const PAGE = { 'text/html': { schema: { type: 'string' } } };

const PROBLEM = contentOf('Problem', 'application/problem+json');

/** Problem documents by status, and the default for 5xx. */
export function problems(...statuses: readonly number[]): Record<string, object> {
  return errorResponses(statuses, MEANINGS, PROBLEM);
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
