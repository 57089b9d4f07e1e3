import { type CallContext as KitCallContext, type ClientAddresses } from '@gatehouse/kit/clients';
import { type AdminCaller } from '@gatehouse/nest-kit/admin';
import { type FastifyRequest } from 'fastify';

/** The caller of a request, for audit events and for what the caller may grant. */
export interface CallContext extends KitCallContext {
  /** The administrator who called; null for the holder of a key, for GitHub, and in the portal. */
  readonly admin: AdminCaller | null;
}

export function callContextOf(
  addresses: ClientAddresses,
  request: Pick<FastifyRequest, 'raw' | 'id'>,
  caller: AdminCaller | 'holder' | 'github' | `portal:${string}`,
): CallContext {
  const admin = typeof caller === 'string' ? null : caller;
  return Object.assign(addresses.callContext(request, caller), { admin });
}
