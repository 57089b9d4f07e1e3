/** Preview of the held removals of a SCIM directory. */
import { type GuardRepository } from '../../guard/guard.repository.js';
import { type HeldRemoval } from '../../guard/guard.types.js';
import { type PlanView } from './run.view.js';

const SHOWN_MAX = 100;

export async function heldView(guards: GuardRepository, directoryId: string): Promise<PlanView> {
  const held = await guards.countHeld(directoryId);
  const countOf = (kind: string, operation: string) =>
    held.find((row) => row.kind === kind && row.operation === operation)?.count ?? 0;
  const members = held.find(({ operation }) => operation === 'members')?.members ?? 0;
  const listed = members === 0 ? [] : await guards.listHeldMembers(directoryId, SHOWN_MAX);
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
      members_removed: members,
    },
    users_created: [],
    users_updated: await listOf('user', 'deactivate'),
    users_deleted: await listOf('user', 'delete'),
    groups_created: [],
    groups_updated: await listOf('group', 'empty'),
    groups_deleted: await listOf('group', 'delete'),
    members_added: [],
    members_removed: listed.map(({ group, groupName, member }) => ({
      group,
      group_name: groupName,
      member,
    })),
  };
}
