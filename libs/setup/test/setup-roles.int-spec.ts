/** Roles that the administrator gives to groups on the pages of a setup link. */
import { eventually } from '@gatehouse/testing';
import {
  group,
  type Json,
  type TestDirectory,
  user,
  useReplicas,
} from '@gatehouse/directory-sync/testing';
import { CALL, codeOf, unwrap, setupOf } from './setup-of.js';

const replicas = useReplicas();
let directory: TestDirectory;
/** Ids of users and groups that have arrived. */
let ids: Record<'ann' | 'bob' | 'admins' | 'staff', string>;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
  const create = async (path: string, body: object) =>
    (await directory.send('POST', path, body)).data.id as string;
  const [ann, bob] = [await create('/Users', user('ann')), await create('/Users', user('bob'))];
  const admins = await create('/Groups', group('Admins', [ann]));
  const staff = await create('/Groups', group('Staff', [ann, bob]));
  ids = { ann, bob, admins, staff };
});

const links = () => setupOf(replicas.answering).links;
const pages = () => setupOf(replicas.answering).roles;
const otherPages = () => setupOf(replicas.changing).roles;
const mappings = () => replicas.changing.sync.roleMappings;
const rulesOf = async () => {
  const { rules } = await unwrap(mappings().get(directory.id));
  return rules.map(({ group: chosen, role, priority }) => ({ group: chosen, role, priority }));
};
const rolesOf = async (id: string) => {
  const users = replicas.changing.sync.users.inScope({ directoryId: directory.id });
  return ((await unwrap(users.get(id))) as Json).roles;
};

async function openLink(input: object = { allow: ['roles'], roles: ['admin', 'editor'] }) {
  const created = links().create({ directory_id: directory.id, ...input }, CALL);
  const { id, url } = await unwrap(created);
  const secret = new URL(url).pathname.replace('/setup/', '');
  const { sessions: setupSessions } = setupOf(replicas.answering);
  return { id, cookie: (await unwrap(setupSessions.open(secret, CALL))).cookie };
}

it('gives the roles of the link to groups that have arrived, after showing what changes', async () => {
  const { id, cookie } = await openLink();
  const { roles, groups, hasMore, etag } = await unwrap(pages().get(cookie));
  expect({ roles, hasMore }).toEqual({ roles: ['admin', 'editor'], hasMore: false });
  expect(groups).toEqual([
    { id: ids.admins, name: 'Admins', role: '' },
    { id: ids.staff, name: 'Staff', role: '' },
  ]);
  const chosen = { [ids.admins]: 'admin', [ids.staff]: 'editor' };
  const preview = await unwrap(otherPages().preview(cookie, chosen, etag));
  expect(preview).toMatchObject({ users: 2, users_changed: 2, is_complete: true });
  expect(preview.roles).toEqual([
    { role: 'admin', gained: 1, lost: 0 },
    { role: 'editor', gained: 2, lost: 0 },
  ]);
  expect(await codeOf(mappings().get(directory.id))).toBe(404);

  await unwrap(otherPages().put(cookie, chosen, etag, CALL));
  await eventually(async () => expect(await rolesOf(ids.ann)).toEqual(['admin', 'editor']));
  expect(await rolesOf(ids.bob)).toEqual(['editor']);
  expect((await unwrap(pages().get(cookie))).groups.map(({ role }) => role)).toEqual([
    'admin',
    'editor',
  ]);
  const audit = replicas.answering.sync.auditEvents.getAll({ targetId: directory.id });
  expect((await unwrap(audit))[0]).toMatchObject({
    type: 'directory.role_mapping_changed',
    caller: `setup-link:${id}`,
    details: { rules: 2, link_id: id },
  });
});

it('leaves all other rules as they are, in their order', async () => {
  const others = [
    { group: { display_name: 'Staff' }, role: 'editor', priority: 7 },
    { group: { id: ids.staff }, role: 'auditor', priority: 3 },
  ];
  const own = { group: { id: ids.admins }, role: 'admin', priority: 5 };
  const mapping = { default_role: 'member', mode: 'highest', rules: [own, ...others] };
  await unwrap(mappings().put(directory.id, mapping));
  const { cookie } = await openLink();
  const { groups, etag } = await unwrap(pages().get(cookie));
  expect(groups.map(({ role }) => role)).toEqual(['admin', '']);
  const chosen = { [ids.admins]: '', [ids.staff]: 'editor' };
  await unwrap(pages().put(cookie, chosen, etag, CALL));
  const added = { group: { id: ids.staff }, role: 'editor', priority: 7 };
  expect(await rulesOf()).toEqual([...others, added]);
  expect(await unwrap(mappings().get(directory.id))).toMatchObject({
    default_role: 'member',
    mode: 'highest',
  });
});

it('409: does not overwrite a change that its page did not show', async () => {
  const { cookie } = await openLink();
  const { etag } = await unwrap(pages().get(cookie));
  const put = (role: string) => codeOf(otherPages().put(cookie, { [ids.staff]: role }, etag, CALL));
  const codes = await Promise.all([put('admin'), put('editor'), put('admin')]);
  expect(codes.sort()).toEqual([200, 409, 409]);
  expect(await rulesOf()).toHaveLength(1);
  expect(await codeOf(pages().preview(cookie, {}, etag))).toBe(409);
});

it('a choice that changes nothing makes no mapping', async () => {
  const { cookie } = await openLink();
  const { etag } = await unwrap(pages().get(cookie));
  await unwrap(pages().put(cookie, { [ids.admins]: '' }, etag, CALL));
  expect(await codeOf(mappings().get(directory.id))).toBe(404);
});

it('gives no role that the link does not offer, and none to groups of others', async () => {
  const stranger = await replicas.answering.newDirectory();
  const { data } = await stranger.send('POST', '/Groups', group('Theirs'));
  const { cookie } = await openLink();
  const { etag } = await unwrap(pages().get(cookie));
  const put = (chosen: Record<string, string>) => pages().put(cookie, chosen, etag, CALL);
  expect(await codeOf(put({ [ids.admins]: 'owner' }))).toBe(400);
  const unknown = { [data.id]: 'admin', x: 'admin', '': 'admin' };
  expect(await codeOf(put(unknown))).toBe(200);
  expect(await codeOf(mappings().get(directory.id))).toBe(404);
  const many = Array.from({ length: 101 }, (_, index) => [`g${index}`, 'admin']);
  expect(await codeOf(put(Object.fromEntries(many) as Record<string, string>))).toBe(400);
});

it('400: not more rules than a mapping can have', async () => {
  const rules = Array.from({ length: 100 }, (_, index) => ({
    group: { display_name: `group ${index}` },
    role: 'member',
  }));
  await unwrap(mappings().put(directory.id, { rules }));
  const { cookie } = await openLink();
  const { etag } = await unwrap(pages().get(cookie));
  const chosen = { [ids.admins]: 'admin' };
  expect(await codeOf(pages().preview(cookie, chosen, etag))).toBe(400);
  expect(await codeOf(pages().put(cookie, chosen, etag, CALL))).toBe(400);
  expect(await rulesOf()).toHaveLength(100);
});

it('429: one preview of a directory at a time', async () => {
  const { cookie } = await openLink();
  const { etag } = await unwrap(pages().get(cookie));
  const { query } = replicas.database;
  await query('BEGIN; LOCK TABLE dsync.role_rules IN ACCESS EXCLUSIVE MODE');
  try {
    const first = pages().preview(cookie, {}, etag);
    await eventually(async () => {
      const [row] = await query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_locks
          WHERE locktype = 'advisory' AND objsubid = 1 AND granted`,
      );
      expect(row?.count).toBe(1);
    });
    expect(await codeOf(otherPages().preview(cookie, {}, etag))).toBe(429);
    await query('COMMIT');
    expect(await codeOf(first)).toBe(200);
  } finally {
    await query('COMMIT');
  }
});

it('403 unless the link allows it, 410 once it is revoked', async () => {
  const without = await openLink({});
  expect(await codeOf(pages().get(without.cookie))).toBe(403);
  expect(await codeOf(pages().preview(without.cookie, {}, ''))).toBe(403);
  expect(await codeOf(pages().put(without.cookie, {}, '', CALL))).toBe(403);
  const { id, cookie } = await openLink();
  const { etag } = await unwrap(pages().get(cookie));
  await unwrap(setupOf(replicas.changing).links.revoke(id, {}, CALL));
  const chosen = { [ids.admins]: 'admin' };
  expect(await codeOf(pages().put(cookie, chosen, etag, CALL))).toBe(410);
  expect(await codeOf(mappings().get(directory.id))).toBe(404);
});

it.each<[Json, string]>([
  [{ allow: ['roles'] }, 'roles'],
  [{ allow: ['roles'], roles: [] }, 'roles'],
  [{ allow: ['roles'], roles: [' '] }, 'roles[0]'],
  [{ allow: ['roles'], roles: ['a', 5] }, 'roles[1]'],
  [{ allow: ['roles'], roles: ['x'.repeat(129)] }, 'roles[0]'],
  [{ allow: ['roles'], roles: Array.from({ length: 21 }, (_, index) => `r${index}`) }, 'roles'],
  [{ roles: ['admin'] }, 'roles'],
])('400: %j names the field', async (input, field) => {
  const { error } = await links().create({ directory_id: directory.id, ...input }, CALL);
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining(field) });
});
