import { type DirectorySync, type UserLookups } from '@gatehouse/directory-sync';
import { Describe, flag, optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import { Get, Inject, Param, Query } from '@nestjs/common';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, PAGE_QUERY, listOf } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface ScopeQuery {
  tenant?: string;
  product?: string;
  directoryId?: string;
  pageOffset?: number;
  pageLimit?: number;
}

interface MembersQuery {
  groups?: boolean;
  after?: string;
}

const SCOPE_RULE = 'Either tenant and product, or directoryId, is required.';
const SCOPE = optionalParameters('query', {
  tenant: text(SCOPE_RULE, { example: 'customer-17' }),
  product: text(SCOPE_RULE, { example: 'shop' }),
  directoryId: text(SCOPE_RULE),
});
const LOOKUPS = optionalParameters('query', {
  role: text('Only users that have it by the role mapping of their directory.'),
  userName: text('Only users of this name, regardless of case; tenant alone suffices.'),
  email: text('Only users with this e-mail address, regardless of case; tenant alone suffices.'),
  external_id: text('Only users with this id of the provider; tenant alone suffices.'),
});

/** Users and groups from identity providers. */
@ManagementController()
export class RecordsController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Get('users')
  @Describe<DsyncOperation>({
    id: 'listDirectoryUsers',
    summary: 'List the users of a directory',
    tag: 'Users and groups',
    parameters: [...PAGE_QUERY, ...SCOPE, ...LOOKUPS],
    answer: listOf('User'),
    errors: [400, 404],
  })
  users(@Query() query: ScopeQuery & UserLookups) {
    const { role, userName, email, external_id } = query;
    const page = { ...pageOf(query), role, userName, email, external_id };
    return this.sync.users.inScope(query).getPage(page);
  }

  @Get('users/:id')
  @Describe<DsyncOperation>({
    id: 'getDirectoryUser',
    summary: 'Get a user of a directory',
    tag: 'Users and groups',
    parameters: SCOPE,
    answer: done('User'),
    errors: [400, 404],
  })
  user(@Param('id') id: string, @Query() query: ScopeQuery) {
    return this.sync.users.inScope(query).get(id);
  }

  @Get('groups')
  @Describe<DsyncOperation>({
    id: 'listDirectoryGroups',
    summary: 'List the groups of a directory',
    tag: 'Users and groups',
    parameters: [...PAGE_QUERY, ...SCOPE],
    answer: listOf('Group'),
    errors: [400, 404],
  })
  groups(@Query() query: ScopeQuery) {
    return this.sync.groups.inScope(query).getPage(pageOf(query));
  }

  @Get('groups/:id')
  @Describe<DsyncOperation>({
    id: 'getDirectoryGroup',
    summary: 'Get a group of a directory',
    tag: 'Users and groups',
    parameters: [
      ...SCOPE,
      ...optionalParameters('query', {
        members: flag('False: only the number of members. Default true.'),
      }),
    ],
    answer: done('Group'),
    errors: [400, 404],
  })
  group(@Param('id') id: string, @Query() query: ScopeQuery & { members?: boolean }) {
    return this.sync.groups.inScope(query).get(id, { members: query.members });
  }

  @Get('groups/:id/members')
  @Describe<DsyncOperation>({
    id: 'listDirectoryGroupMembers',
    summary: 'List the members of a group',
    tag: 'Users and groups',
    parameters: [
      ...PAGE_QUERY,
      ...SCOPE,
      ...optionalParameters('query', {
        groups: flag('True: also the groups inside the group. Default false.'),
        after: text(
          'Id of the last member that was read, which costs less than a large pageOffset.',
        ),
      }),
    ],
    answer: listOf('GroupMember'),
    errors: [400, 404],
  })
  members(@Param('id') groupId: string, @Query() query: ScopeQuery & MembersQuery) {
    const { groups, after } = query;
    const page = { groupId, groups, after, ...pageOf(query) };
    return this.sync.groups.inScope(query).getGroupMembersPage(page);
  }
}

function pageOf({ pageOffset, pageLimit }: ScopeQuery) {
  return { pageOffset, pageLimit };
}
