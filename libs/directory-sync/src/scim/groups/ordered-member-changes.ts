/**
 * Member changes with a condition, such as `members[value eq "…"]`. They run one after the other
 * in one transaction because each condition must see the result of the changes before it.
 */
import {
  elementFilterCost,
  elementFilterToSql,
  type MemberChange,
  type NetMemberChange,
  netMemberChanges,
  type ScimResource,
  SqlParameters,
} from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { withAddress } from '../../database/filter-columns.js';
import { type EventRow } from '../../events/event.types.js';
import { changeGroup, lockGroup } from '../../groups/group.repository.js';
import { type GroupRow } from '../../groups/group.types.js';
import { MEMBER_FILTER_COLUMNS } from '../../groups/group-filter.columns.js';
import { matchingMemberIds } from '../../groups/member.repository.js';
import { checkFilterCost } from '../protocol/filter-cost.js';
import { checkPreconditions } from '../protocol/responses.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import { type ScimRequest, type ScimScope } from '../protocol/scim.types.js';
import { type WriteLog } from '../protocol/write-log.js';
import { groupScopeOf } from '../protocol/write-scope.js';
import { write } from '../writes/write.js';
import {
  changedAttributes,
  emptiedName,
  memberSetOf,
  reportIgnored,
  requireGroup,
} from './group-write.js';

/** Changes the attributes, then the members in order: all of it or nothing. */
export async function changeMembersInOrder(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
  attributes: (current: ScimResource) => ScimResource,
  changes: readonly MemberChange[],
): Promise<GroupRow> {
  const written = await write(scope, {
    statement: async (sql) => {
      if (isUuid(id)) await lockGroup(sql, scope.directory.id, id);
      const before = await requireGroup(scope, id, sql);
      checkPreconditions(request, before.version);
      const steps = new Steps(scope, sql, before);
      const changed = changedAttributes(before, attributes(before.raw));
      if (changed) await steps.apply(NO_MEMBERS, changed);
      for (const change of changes) await steps.apply(await steps.resolve(change));
      return steps;
    },
    isWhole: true,
    quota: { grows: ({ growth }) => growth },
    roles: { of: 'group', changesRules: ({ changesRules }) => changesRules },
    removal: { kind: 'group', id, operation: 'members' },
    emptied: ({ before, group }) => emptiedName(scope, before, group),
  });
  const { events, group, ignored } = written as Steps;
  log.add(events);
  await reportIgnored(scope, ignored);
  return group;
}

const NO_MEMBERS: NetMemberChange = { reset: false, add: [], removeIds: [] };

class Steps {
  readonly events: EventRow[] = [];
  /** As the changes so far have left it. */
  group: GroupRow;
  ignored = 0;
  /** Whether a rule of a role mapping may begin or cease to apply to groups. */
  changesRules = false;
  /** Bytes that the changes of attributes have added. */
  growth = 0;

  constructor(
    private readonly scope: ScimScope,
    private readonly transaction: SqlExecutor,
    readonly before: GroupRow,
  ) {
    this.group = before;
  }

  /** Replaces the condition of a change by the ids that match it now. */
  async resolve(change: MemberChange): Promise<NetMemberChange> {
    if (change.kind !== 'removeMatching') return netMemberChanges([change]) ?? NO_MEMBERS;
    checkFilterCost(elementFilterCost(change.filter), this.scope.engine.limits.filterCostMax);
    const parameters = new SqlParameters(2);
    const condition = withAddress(
      elementFilterToSql(change.filter, MEMBER_FILTER_COLUMNS, parameters),
      this.scope.call.baseUrl,
      parameters,
    );
    const values = [this.group.id, ...parameters.values];
    const removeIds = await matchingMemberIds(this.transaction, condition, values);
    return { reset: false, add: [], removeIds };
  }

  async apply(net: NetMemberChange, attributes?: Parameters<typeof changeGroup>[5]): Promise<void> {
    const { members, unusable } = memberSetOf(net);
    const target = groupScopeOf(this.scope);
    const { id } = this.group;
    const { bytes } = this.group;
    const write = await changeGroup(this.transaction, target, id, null, members, attributes);
    // The group is gone or the directory has changed; the 404 is checked against the latter.
    if (!write) throw resourceNotFound(id);
    this.group = write.group;
    this.changesRules ||= write.isNested || attributes !== undefined;
    this.growth += write.group.bytes - bytes;
    for (const event of write.events) this.events.push(event);
    this.ignored += write.ignored + unusable;
  }
}
