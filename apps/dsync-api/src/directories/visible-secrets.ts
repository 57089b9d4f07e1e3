import { InputReader } from '@gatehouse/kit/input';
import { adminCallerOf, mayUse } from '@gatehouse/nest-kit/admin';
import { optionalParameters } from '@gatehouse/nest-kit/openapi';
import { type FastifyRequest } from 'fastify';

export interface SecretsQuery {
  secrets?: string;
}

export const SECRETS_QUERY = optionalParameters('query', {
  secrets: { type: 'boolean', description: 'False: secrets are empty. Default true.' },
});

/** Whether a response shows secrets; an administrator with `dsync:read` only sees none. */
export function visibleSecrets(request: FastifyRequest, query: SecretsQuery): { secrets: boolean } {
  const input = InputReader.ofQuery(query);
  const areAsked = input.boolean('secrets') ?? true;
  input.throwIfInvalid();
  return { secrets: areAsked && mayUse(adminCallerOf(request), 'dsync:admin') };
}
