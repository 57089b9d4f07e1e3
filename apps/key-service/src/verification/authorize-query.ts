import { type RequestInput } from '../api/input.js';
import { readAudience, readClientIp, readScopes, readTags } from '../api/fields/key-fields.js';
import { demandFor, type VerifyInput } from './verification-request.js';

const REPEATABLE = ['scope', 'tag'];
const NO_DEMANDS = {
  requiredScopes: undefined,
  audience: undefined,
  limits: undefined,
  tags: undefined,
  clientIp: undefined,
};

/**
 * Reads the query of `:authorize`. Envoy appends the path and the query of the client's request
 * after `path=`. That part is controlled by the client, so it must not change the requirements.
 */
export function readAuthorizeQuery(
  url: string,
  input: RequestInput,
): Omit<VerifyInput, 'credential'> {
  const start = url.indexOf('?');
  if (start === -1) return NO_DEMANDS;
  const [ours] = url.slice(start + 1).split(/(?:^|&)path=/, 1);
  const query = new URLSearchParams(ours);
  const given = [...query.keys()].map((name) => {
    const values = query.getAll(name);
    return [name, REPEATABLE.includes(name) || values.length > 1 ? values : values[0]];
  });
  const reader = input.body(Object.fromEntries(given));
  const tags = readTags(reader, 'tag');
  const demands = {
    requiredScopes: readScopes(reader, 'scope'),
    audience: demandFor(readAudience(reader)),
    limits: undefined,
    tags: tags.length > 0 ? tags : undefined,
    clientIp: readClientIp(reader),
  };
  reader.throwIfInvalid();
  return demands;
}
