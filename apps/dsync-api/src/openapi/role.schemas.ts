/** Schemas of role mappings, by which groups give roles to users. */
import {
  arrayOf,
  enumOf,
  type Examples,
  flag,
  integer,
  object,
  record,
  schemaRef,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';

const UUID = text(undefined, { format: 'uuid' });
const ROLES = arrayOf(text());

const MODE = {
  ...enumOf(['all', 'highest']),
  description:
    'Whether all rules count that apply to a user, or the one with the highest priority.',
};
const DEFAULT_ROLE = orNull(text('Role of users to whom no rule applies.', { maxLength: 128 }));
const ROLE = text(undefined, { maxLength: 128 });
const PRIORITY = integer('If rules have the same priority, the first applies.', {
  minimum: -1_000_000,
  maximum: 1_000_000,
});
const MATCHED = integer('How many groups the rule applies to, those inside its groups included.');

export const ROLE_SCHEMAS: Schemas = {
  RoleGroup: {
    ...object({
      id: UUID,
      external_id: text('The id of the group at the provider.'),
      display_name: text('Compared without case.'),
    }),
    description: 'Exactly one of these. The group may not exist yet.',
  },
  RoleMappingInput: object(
    {
      default_role: DEFAULT_ROLE,
      mode: MODE,
      rules: arrayOf(
        object({ group: schemaRef('RoleGroup'), role: ROLE, priority: PRIORITY }, [
          'group',
          'role',
        ]),
        { maxItems: 100 },
      ),
    },
    ['rules'],
  ),
  RoleMapping: record({
    default_role: DEFAULT_ROLE,
    mode: MODE,
    rules: arrayOf(
      record({ group: schemaRef('RoleGroup'), role: ROLE, priority: PRIORITY, groups: MATCHED }),
    ),
    progress: record({
      state: enumOf(['applying', 'applied', 'removing']),
      users_total: integer('The users of the directory when the rules changed.'),
      users_processed: integer(),
      users_changed: integer('Users whose roles the change of the rules has changed.'),
      updated_at: time('When the rules changed.'),
      applied_at: orNull(time('Null until all users have the roles of these rules.')),
    }),
  }),
  RolePreview: record({
    users: integer('Users that were compared.'),
    is_complete: flag('False if the directory was too large to compare all of its users.'),
    users_changed: integer('Users whose roles would change.'),
    roles: arrayOf(record({ role: text(), gained: integer(), lost: integer() })),
    groups: arrayOf(MATCHED, { description: 'In the order of the rules.' }),
    examples: arrayOf(
      record({
        user: record({
          id: UUID,
          first_name: text(),
          last_name: text(),
          email: text(),
          active: flag(),
        }),
        previous: ROLES,
        current: ROLES,
      }),
      { description: 'The first of these users, at most 100.' },
    ),
  }),
};

const RULES = [
  { group: { display_name: 'Administrators' }, role: 'admin', priority: 10 },
  { group: { external_id: '00g1emaKYZTWRYYRRTSK' }, role: 'editor', priority: 5 },
];
const USER = {
  id: '01983f70-1b42-7000-8000-8d03c5e6f712',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  active: true,
};

export const ROLE_EXAMPLES: Examples = {
  RoleMappingInput: { default_role: 'member', mode: 'highest', rules: RULES },
  RoleMapping: {
    default_role: 'member',
    mode: 'highest',
    rules: RULES.map((rule, index) => ({ ...rule, groups: 1 - index })),
    progress: {
      state: 'applied',
      users_total: 250,
      users_processed: 250,
      users_changed: 4,
      updated_at: '2026-01-15T09:30:00.000Z',
      applied_at: '2026-01-15T09:30:00.120Z',
    },
  },
  RolePreview: {
    users: 250,
    is_complete: true,
    users_changed: 1,
    roles: [
      { role: 'admin', gained: 1, lost: 0 },
      { role: 'member', gained: 0, lost: 1 },
    ],
    groups: [1, 0],
    examples: [{ user: USER, previous: ['member'], current: ['admin'] }],
  },
};
