import { type RequestInput } from '../api/input.js';
import { readAudience, readScopes, readTags } from '../api/fields/key-fields.js';
import { type VerifyInput } from './verification-request.js';

const NO_DEMANDS = {
  requiredScopes: undefined,
  audience: undefined,
  limits: undefined,
  tags: undefined,
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
  const { scope, tag, ...others } = Object.fromEntries(query) as Record<string, string>;
  const audiences = query.getAll('audience');
  const reader = input.body({
    ...others,
    ...(scope !== undefined && { scope: query.getAll('scope') }),
    ...(tag !== undefined && { tag: query.getAll('tag') }),
    ...(audiences.length > 1 && { audience: audiences }),
  });
  const tags = readTags(reader, 'tag');
  const demands = {
    requiredScopes: readScopes(reader, 'scope'),
    audience: readAudience(reader),
    limits: undefined,
    tags: tags.length > 0 ? tags : undefined,
  };
  reader.throwIfInvalid();
  return demands;
}
