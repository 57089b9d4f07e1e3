/**
 * Member changes that ask for members by a condition: one after the other in one transaction,
 * because what a condition finds depends on what the changes before it did.
 */
import {
  elementFilterToSql,
  type MemberChange,
  type NetMemberChange,
  netMemberChanges,
  type ScimResource,
  SqlParameters,
} from '@gatehouse/scim';
import { type Executor, untilUncontended } from '../../database/database.js';
import type { EventRow } from '../../events/event.types.js';
import * as groups from '../../groups/group.repository.js';
import type { GroupRow } from '../../groups/group.types.js';
import { matchingMemberIds } from '../../groups/member.repository.js';
import { isUuid } from '../../database/uuid.js';
import { changedAttributes, memberSetOf, reportIgnored, requireGroup } from './group-write.js';
import { checkPreconditions } from '../protocol/preconditions.js';
import { MEMBER_FILTER_COLUMNS, withAddress } from '../resource-columns.js';
import { groupScopeOf, noteEvents } from '../protocol/scim-context.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import type { ScimCall, ScimContext } from '../protocol/scim.types.js';

/** Carries out attributes first, then each change of members in order; all of it or nothing. */
export async function changeMembersInOrder(
  context: ScimContext,
  call: ScimCall,
  id: string,
  attributes: (current: ScimResource) => ScimResource,
  changes: readonly MemberChange[],
): Promise<GroupRow> {
  const { events, group, ignored } = await untilUncontended(() =>
    context.database.transaction(async (executor) => {
      if (isUuid(id)) await groups.lockGroup(executor, context.directory.id, id);
      const before = await requireGroup(context, id, executor);
      checkPreconditions(call, before.version);
      const steps = new Steps(context, executor, before);
      const changed = changedAttributes(before, attributes(before.raw));
      if (changed) await steps.apply(NO_MEMBERS, changed);
      for (const change of changes) await steps.apply(await steps.resolve(change));
      return steps;
    }),
  );
  noteEvents(context, events);
  await reportIgnored(context, ignored);
  return group;
}

const NO_MEMBERS: NetMemberChange = { reset: false, add: [], removeIds: [] };

class Steps {
  readonly events: EventRow[] = [];
  ignored = 0;

  constructor(
    private readonly context: ScimContext,
    private readonly executor: Executor,
    public group: GroupRow,
  ) {}

  /** A change with its condition replaced by the ids that meet it now. */
  async resolve(change: MemberChange): Promise<NetMemberChange> {
    if (change.kind !== 'removeMatching') return netMemberChanges([change]) ?? NO_MEMBERS;
    const parameters = new SqlParameters(2);
    const condition = withAddress(
      elementFilterToSql(change.filter, MEMBER_FILTER_COLUMNS, parameters),
      this.context.baseUrl,
      parameters,
    );
    const values = [this.group.id, ...parameters.values];
    const removeIds = await matchingMemberIds(this.executor, condition, values);
    return { reset: false, add: [], removeIds };
  }

  async apply(
    net: NetMemberChange,
    attributes?: Parameters<typeof groups.changeGroup>[5],
  ): Promise<void> {
    const { members, unusable } = memberSetOf(net);
    const scope = groupScopeOf(this.context);
    const { id } = this.group;
    const written = await groups.changeGroup(this.executor, scope, id, null, members, attributes);
    // Gone, or the directory is another by now: a 404 is held against that once it is answered.
    if (!written) throw resourceNotFound(id);
    this.group = written.group;
    this.events.push(...written.events);
    this.ignored += written.ignored + unusable;
  }
}
