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
import { changeInQuota } from '../protocol/quota-use.js';
import { checkPreconditions } from '../protocol/responses.js';
import { changeWithRoles } from '../protocol/role-writes.js';
import { resourceNotFound } from '../protocol/scim-errors.js';
import { type ScimRequest, type ScimScope } from '../protocol/scim.types.js';
import { type WriteLog } from '../protocol/write-log.js';
import { WRITE_RETRY } from '../protocol/write-retry.js';
import { groupScopeOf } from '../protocol/write-scope.js';
import { requireMembers } from './protected-group.js';
import { changedAttributes, memberSetOf, reportIgnored, requireGroup } from './group-write.js';

/** Changes the attributes, then the members in order: all of it or nothing. */
export async function changeMembersInOrder(
  scope: ScimScope,
  request: ScimRequest,
  id: string,
  log: WriteLog,
  attributes: (current: ScimResource) => ScimResource,
  changes: readonly MemberChange[],
): Promise<GroupRow> {
  const write = () =>
    scope.sql.transaction(async (transaction) => {
      const carryOut = async () => {
        if (isUuid(id)) await lockGroup(transaction, scope.directory.id, id);
        const before = await requireGroup(scope, id, transaction);
        checkPreconditions(request, before.version);
        const steps = new Steps(scope, transaction, before);
        const changed = changedAttributes(before, attributes(before.raw));
        if (changed) await steps.apply(NO_MEMBERS, changed);
        for (const change of changes) await steps.apply(await steps.resolve(change));
        await requireMembers(scope, before, steps.group, transaction);
        return steps;
      };
      const isChange = ({ changesRules }: Steps) => changesRules;
      const removal = { kind: 'group', id, operation: 'members' } as const;
      return changeWithRoles(scope, transaction, carryOut, isChange, removal);
    }, WRITE_RETRY);
  const { events, group, ignored } = await changeInQuota(scope, ({ growth }) => growth, write);
  log.add(events);
  await reportIgnored(scope, ignored);
  return group;
}

const NO_MEMBERS: NetMemberChange = { reset: false, add: [], removeIds: [] };

class Steps {
  readonly events: EventRow[] = [];
  ignored = 0;
  /** Whether a rule of a role mapping may begin or cease to apply to groups. */
  changesRules = false;
  /** Bytes that the changes of attributes have added. */
  growth = 0;

  constructor(
    private readonly scope: ScimScope,
    private readonly transaction: SqlExecutor,
    public group: GroupRow,
  ) {}

  /** Replaces the condition of a change by the ids that match it now. */
  async resolve(change: MemberChange): Promise<NetMemberChange> {
    if (change.kind !== 'removeMatching') return netMemberChanges([change]) ?? NO_MEMBERS;
    checkFilterCost(elementFilterCost(change.filter), this.scope.limits.filterCostMax);
    const parameters = new SqlParameters(2);
    const condition = withAddress(
      elementFilterToSql(change.filter, MEMBER_FILTER_COLUMNS, parameters),
      this.scope.baseUrl,
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
