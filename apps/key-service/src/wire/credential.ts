import type { BodyReader } from './body-reader.js';

/** Reads the required field `credential`: any string, but not an empty one. */
export function readCredential(body: BodyReader): string {
  const credential = body.raw('credential') ?? '';
  if (typeof credential !== 'string') return body.refuse('credential', 'must be a string', '');
  return credential === '' ? body.refuse('credential', 'must not be empty', '') : credential;
}
