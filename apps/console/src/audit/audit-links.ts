/** The pages that audit events lead to. */
import { pathWith } from '../parts/table.js';
import { type AuditEntry } from './audit-log.js';

interface Target {
  readonly name: string;
  /** Undefined where there is no page. */
  readonly path?: string;
}

/** The record that was changed. */
export function targetOf(entry: AuditEntry): Target {
  const { source, type, target, actor_id: actorId = '', details } = entry;
  const [kind] = type.split('.');
  const { endpoint_id: endpointId, directory_id: directoryId } = details;
  if (kind === 'webhook_endpoint' && typeof endpointId === 'string') {
    const owner = { keys: 'keys', directories: String(directoryId), forms: 'identities' }[source];
    return { name: endpointId, path: `/webhooks/${encodeURIComponent(owner)}/${endpointId}` };
  }
  if (target === '') return { name: actorId, path: actorId ? pathOfActor(actorId) : undefined };
  const room = source === 'keys' ? '/keys' : ROOMS[kind ?? ''];
  return { name: target, path: room && `${room}/${encodeURIComponent(target)}` };
}

const ROOMS: Readonly<Record<string, string>> = {
  directory: '/directories',
  schema: '/forms/schemas',
  identity: '/forms/identities',
};

export function pathOfActor(actorId: string): string {
  return pathWith('/people', { id: actorId });
}
