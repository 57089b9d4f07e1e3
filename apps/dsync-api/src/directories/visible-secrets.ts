import { type DirectoryView, type Result } from '@gatehouse/directory-sync';
import { adminCallerOf, mayUse } from '@gatehouse/service-kit';
import { type FastifyRequest } from 'fastify';

/** The result as its caller may see it: an administrator with `dsync:read` only sees no secrets. */
export function withVisibleSecrets<T extends DirectoryView | DirectoryView[] | null>(
  request: FastifyRequest,
  result: Result<T>,
): Result<T> {
  if (result.error || mayUse(adminCallerOf(request), 'dsync:admin')) return result;
  const { data } = result;
  const visible = Array.isArray(data) ? data.map(withoutSecrets) : data && withoutSecrets(data);
  return { ...result, data: visible as T };
}

function withoutSecrets(directory: DirectoryView): DirectoryView {
  return {
    ...directory,
    webhook: { ...directory.webhook, secret: '' },
    scim: { ...directory.scim, secret: '' },
  };
}
