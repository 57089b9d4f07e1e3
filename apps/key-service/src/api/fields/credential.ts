import { type InputReader } from '@gatehouse/kit/input';

/** Reads the required field `credential`: any string, but not an empty one. */
export function readCredential(body: InputReader): string {
  const credential = body.raw('credential') ?? '';
  if (typeof credential !== 'string') {
    return body.addViolation('credential', 'must be a string', '');
  }
  return credential === '' ? body.addViolation('credential', 'must not be empty', '') : credential;
}
