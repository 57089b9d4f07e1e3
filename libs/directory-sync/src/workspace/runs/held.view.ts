/** What the held removals of a SCIM directory would do. */
import { type GuardRepository } from '../../guard/guard.repository.js';
import { type HeldRemoval } from '../../guard/guard.types.js';
import { type PlanView } from './run.view.js';

const SHOWN_MAX = 100;

export async function heldView(guards: GuardRepository, directoryId: string): Promise<PlanView> {
  const held = await guards.countHeld(directoryId);
  const countOf = (kind: string, operation: string) =>
    held.find((row) => row.kind === kind && row.operation === operation)?.count ?? 0;
  const listOf = async (...[kind, operation]: [HeldRemoval['kind'], HeldRemoval['operation']]) =>
    (await guards.listHeld(directoryId, kind, operation, SHOWN_MAX)).map(
      ({ externalId, name }) => ({ external_id: externalId, name }),
    );
  return {
    counts: {
      users_created: 0,
      users_updated: countOf('user', 'deactivate'),
      users_deleted: countOf('user', 'delete'),
      groups_created: 0,
      groups_updated: countOf('group', 'empty'),
      groups_deleted: countOf('group', 'delete'),
      members_added: 0,
      members_removed: 0,
    },
    users_created: [],
    users_updated: await listOf('user', 'deactivate'),
    users_deleted: await listOf('user', 'delete'),
    groups_created: [],
    groups_updated: await listOf('group', 'empty'),
    groups_deleted: await listOf('group', 'delete'),
    members_added: [],
    members_removed: [],
  };
}
