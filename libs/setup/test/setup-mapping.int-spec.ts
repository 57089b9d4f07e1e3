/** Attributes that the administrator maps on the pages of a setup link. */
import {
  type Json,
  type TestDirectory,
  user,
  useReplicas,
} from '@gatehouse/directory-sync/testing';
import { CALL, codeOf, unwrap, setupOf } from './setup-of.js';

const replicas = useReplicas();
let directory: TestDirectory;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
});

const directories = () => replicas.changing.sync.directories;
const links = () => setupOf(replicas.answering).links;
const sessions = () => setupOf(replicas.answering).sessions;
const otherSessions = () => setupOf(replicas.changing).sessions;

async function openLink(input: object): Promise<{ id: string; cookie: string }> {
  const created = links().create({ directory_id: directory.id, ...input }, CALL);
  const { id, url } = await unwrap(created);
  const secret = new URL(url).pathname.replace('/setup/', '');
  return { id, cookie: (await unwrap(sessions().open(secret, CALL))).cookie };
}
const mapping = (cookie: string) => unwrap(sessions().mapping(cookie));
const mappingOf = async () => (await unwrap(directories().get(directory.id))).attribute_mapping;

it('maps the attributes of the link, and no others', async () => {
  await unwrap(directories().update(directory.id, { attribute_mapping: { kept: 'locale' } }));
  const input = { allow: ['mapping'], attributes: ['rank', 'unit'] };
  const { id, cookie } = await openLink(input);
  const { attributes, etag } = await mapping(cookie);
  expect(attributes).toEqual([
    { name: 'rank', path: '' },
    { name: 'unit', path: '' },
  ]);
  const paths = { rank: ' title ', unit: 'department', kept: 'nickName', other: 'title' };
  expect(await unwrap(otherSessions().changeMapping(cookie, paths, etag, CALL))).toEqual({
    refused: [],
  });
  const stored = { kept: 'locale', rank: 'title', unit: 'department' };
  expect(await mappingOf()).toEqual(stored);

  await directory.send('POST', '/Users', { ...user('ann'), title: 'Captain' });
  const users = replicas.changing.sync.users.inScope({ directoryId: directory.id });
  const [ann] = await unwrap(users.getAll({ directoryId: directory.id }));
  expect(ann).toMatchObject({ custom_attributes: { rank: 'Captain' } });
  const audit = replicas.answering.sync.auditEvents.getAll({ targetId: directory.id });
  expect((await unwrap(audit))[0]).toMatchObject({
    type: 'directory.updated',
    caller: `setup-link:${id}`,
    details: { fields: ['attribute_mapping'], link_id: id },
  });
});

it('takes the names of the directory by default, and ends a mapping by an empty path', async () => {
  const attribute_mapping = { rank: 'title', unit: 'department' };
  await unwrap(directories().update(directory.id, { attribute_mapping }));
  const { cookie } = await openLink({ allow: ['mapping'] });
  const { attributes, etag } = await mapping(cookie);
  expect(attributes.map(({ name }) => name).sort()).toEqual(['rank', 'unit']);
  await unwrap(sessions().changeMapping(cookie, { rank: '', unit: '' }, etag, CALL));
  expect(await mappingOf()).toBeUndefined();
  expect((await mapping(cookie)).attributes.map(({ path }) => path)).toEqual(['', '']);
});

it('names the attributes whose path cannot be read, and stores none', async () => {
  const { cookie } = await openLink({ allow: ['mapping'], attributes: ['a', 'b', 'c'] });
  const { etag } = await mapping(cookie);
  const paths = { a: 'title', b: 'emails[type eq', c: 'x'.repeat(513) };
  expect(await unwrap(sessions().changeMapping(cookie, paths, etag, CALL))).toEqual({
    refused: ['b', 'c'],
  });
  expect(await mappingOf()).toBeUndefined();
});

it('409: does not overwrite a change that its page did not show', async () => {
  const { cookie } = await openLink({ allow: ['mapping'], attributes: ['rank'] });
  const { etag } = await mapping(cookie);
  const change = (rank: string, page = etag) =>
    codeOf(otherSessions().changeMapping(cookie, { rank }, page, CALL));
  const codes = await Promise.all(['title', 'nickName', 'locale'].map((path) => change(path)));
  expect(codes.sort()).toEqual([200, 409, 409]);
  expect(await change('userType', (await mapping(cookie)).etag)).toBe(200);
  expect(await mappingOf()).toEqual({ rank: 'userType' });
});

it('403 unless the link allows it, 410 once it is revoked', async () => {
  const other = await openLink({});
  expect(await codeOf(sessions().mapping(other.cookie))).toBe(403);
  expect(await codeOf(sessions().changeMapping(other.cookie, {}, '', CALL))).toBe(403);
  const { id, cookie } = await openLink({ allow: ['mapping'], attributes: ['rank'] });
  const { etag } = await mapping(cookie);
  await unwrap(setupOf(replicas.changing).links.revoke(id, {}, CALL));
  expect(await codeOf(sessions().changeMapping(cookie, { rank: 'title' }, etag, CALL))).toBe(410);
  expect(await mappingOf()).toBeUndefined();
});

it.each<[Json, string]>([
  [{ allow: ['mapping'] }, 'attributes'],
  [{ allow: ['mapping'], attributes: [] }, 'attributes'],
  [{ allow: ['mapping'], attributes: ['1st'] }, 'attributes'],
  [{ allow: ['mapping'], attributes: ['constructor'] }, 'attributes'],
  [{ allow: ['mapping'], attributes: Array.from({ length: 65 }, (_, i) => `a${i}`) }, 'attributes'],
  [{ attributes: ['rank'] }, 'attributes'],
])('400: %j names the field', async (input, field) => {
  const { error } = await links().create({ directory_id: directory.id, ...input }, CALL);
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining(field) });
});

it('counts only links that work, and records that a link has ended once', async () => {
  for (let count = 0; count < 19; count += 1) await openLink({});
  const { id } = await openLink({});
  expect(await codeOf(links().create({ directory_id: directory.id }, CALL))).toBe(409);
  for (let times = 0; times < 3; times += 1) {
    expect(await codeOf(links().endSession(id, CALL))).toBe(200);
  }
  expect(await codeOf(links().create({ directory_id: directory.id }, CALL))).toBe(200);
  for (let times = 0; times < 3; times += 1) await unwrap(links().revoke(id, {}, CALL));
  const audit = replicas.answering.sync.auditEvents.getAll({ targetId: directory.id });
  const ended = (await unwrap(audit)).filter(({ details }) => (details as Json)?.link_id === id);
  expect(ended.map(({ type }) => type)).toEqual([
    'directory.setup_link_revoked',
    'directory.setup_link_session_ended',
    'directory.setup_opened',
    'directory.setup_link_created',
  ]);
});
