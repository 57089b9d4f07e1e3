/** Runs of workspace directories. */
import {
  arrayOf,
  enumOf,
  type Examples,
  flag,
  integer,
  number,
  object,
  record,
  schemaRef,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';
import { NAMES, ratio } from './guard.schemas.js';

const UUID = text(undefined, { format: 'uuid' });
const numbers = (names: readonly string[]) =>
  record(Object.fromEntries(names.map((name) => [name, integer()])));

const CHANGES = [
  'users_created',
  'users_updated',
  'users_deleted',
  'groups_created',
  'groups_updated',
  'groups_deleted',
  'members_added',
  'members_removed',
];
const NAMED = arrayOf(record({ external_id: text('The id at the provider.'), name: text() }));
const MEMBERS = arrayOf(
  record({ group: text('The id at the provider.'), group_name: text(), member: text() }),
);

const RUN: Schemas = {
  id: UUID,
  directory_id: UUID,
  trigger: enumOf(['schedule', 'demand', 'push', 'callback', 'scim']),
  state: enumOf(['queued', 'listing', 'applying', 'held', 'succeeded', 'failed', 'discarded']),
  counts: schemaRef('RunCounts'),
  pages: integer('Pages of the listing.'),
  api_calls: integer('Requests to the provider.'),
  unchanged_since: orNull(
    time('When the last listing began, of a run that listed nothing because of no changes since.'),
  ),
  error: orNull(text('Why it failed, is held or waits.')),
  hold_reasons: arrayOf(
    record({
      reason: enumOf([
        'too_many_deletions',
        'too_many_removals',
        'empty_listing',
        'incomplete_listing',
        'protected_group',
        'protected_role',
      ]),
      message: text(),
    }),
  ),
  created_at: time(),
  started_at: orNull(time()),
  finished_at: orNull(time()),
  duration_seconds: orNull(number()),
};

const SETTINGS: Schemas = {
  include_groups: NAMES('Only these groups, by id, email or name. Empty: all.'),
  exclude_groups: NAMES('Not these groups.'),
  organizational_units: NAMES('Only users of these units and of the units below. Empty: all.'),
  flatten_groups: flag('Members of nested groups count as members of the outer group.'),
  max_delete_ratio: orNull(
    ratio('Runs that would delete or deactivate a larger part are held. Null: the default.'),
  ),
  max_deletes: orNull(
    integer('Runs that would delete or deactivate more are held. Null: no limit.'),
  ),
  max_member_removal_ratio: orNull(
    ratio(
      'Runs that would remove a larger part of the memberships are held. Null: half, from 100 removals on.',
    ),
  ),
  protected_groups: NAMES('Runs that would delete or empty one of these groups are held.'),
};

const PLAN = record({
  counts: numbers(CHANGES),
  ...Object.fromEntries(CHANGES.slice(0, 6).map((name) => [name, NAMED])),
  members_added: MEMBERS,
  members_removed: MEMBERS,
});

export const RUN_SCHEMAS: Schemas = {
  RunCounts: numbers(['users_listed', 'groups_listed', 'members_listed', ...CHANGES, 'failed']),
  Run: record(RUN),
  RunDetails: record({
    ...RUN,
    plan: orNull(PLAN),
    failures: arrayOf(
      record({ kind: enumOf(['user', 'group']), external_id: text(), reason: text() }),
    ),
  }),
  StartedRuns: record({ directories: integer('Directories whose run was started.') }),
  WorkspaceSettings: record(SETTINGS),
  WorkspaceSettingsChanges: object(SETTINGS),
};

const TIME = '2026-01-15T09:30:00.000Z';
const NOTHING = {
  users_created: 0,
  users_updated: 0,
  users_deleted: 0,
  groups_created: 0,
  groups_updated: 0,
  groups_deleted: 0,
  members_added: 0,
  members_removed: 0,
};
const EXAMPLE = {
  id: '01983f73-9a10-7000-8000-1d2c3b4a5968',
  directory_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01',
  trigger: 'schedule',
  state: 'succeeded',
  pages: 7,
  api_calls: 7,
  unchanged_since: null,
  error: null,
  hold_reasons: [],
  counts: {
    users_listed: 1_200,
    groups_listed: 3,
    members_listed: 450,
    ...NOTHING,
    users_updated: 1,
    failed: 0,
  },
  created_at: TIME,
  started_at: TIME,
  finished_at: '2026-01-15T09:30:02.400Z',
  duration_seconds: 2.4,
};
const GONE = [{ external_id: '100000000000000000001', name: 'ada@example.com' }];
const EXAMPLE_SETTINGS = {
  include_groups: [],
  exclude_groups: ['all@example.com'],
  organizational_units: ['/Sales'],
  flatten_groups: false,
  max_delete_ratio: 0.1,
  max_deletes: 500,
  max_member_removal_ratio: null,
  protected_groups: ['admins@example.com'],
};

export const RUN_EXAMPLES: Examples = {
  Run: EXAMPLE,
  RunDetails: {
    ...EXAMPLE,
    state: 'held',
    finished_at: null,
    duration_seconds: null,
    error: '1 users would be deleted or deactivated; the limit is 20 % of 3.',
    hold_reasons: [
      {
        reason: 'too_many_deletions',
        message: '1 users would be deleted or deactivated; the limit is 20 % of 3.',
      },
    ],
    plan: {
      counts: { ...NOTHING, users_deleted: 1 },
      users_created: [],
      users_updated: [],
      users_deleted: GONE,
      groups_created: [],
      groups_updated: [],
      groups_deleted: [],
      members_added: [],
      members_removed: [],
    },
    failures: [],
  },
  StartedRuns: { directories: 3 },
  WorkspaceSettings: EXAMPLE_SETTINGS,
  WorkspaceSettingsChanges: { exclude_groups: ['all@example.com'] },
};
