/** The groups of a workspace that the administrator chooses on the pages of a setup link. */
import { type FakeGoogle } from '@gatehouse/testing';
import { type Json, type TestSync, useGoogle } from '@gatehouse/directory-sync/testing';
import { answerTo, finish, type OpenedLink, openGoogleLink, runQueued } from './setup-fixture.js';
import { CALL, setupOf, unwrap } from './setup-of.js';

const fixture = useGoogle();
let google: FakeGoogle;
let first: TestSync;
let second: TestSync;
let link: OpenedLink;

const newLink = (input: object = {}) => openGoogleLink(first, { allow: ['groups'], ...input });
const choice = () => unwrap(setupOf(first).groups.get(link.cookie));
const choose = (groups: readonly string[], etag: string, { cookie } = link) =>
  setupOf(second).groups.put(cookie, groups, etag, CALL);
const settingsOf = () => unwrap(first.sync.workspaceRuns.settings(link.directoryId));
const runsOf = async () =>
  (await unwrap(first.sync.workspaceRuns.list(link.directoryId, {}))).items.map(
    ({ state }) => state,
  );
const groupNames = async () => {
  const rows = await first.dataSource.query<Json[]>(
    'SELECT display_name AS name FROM dsync.groups WHERE directory_id = $1 ORDER BY 1',
    [link.directoryId],
  );
  return rows.map(({ name }) => name as string);
};

beforeEach(async () => {
  ({ google, first, second } = fixture);
  link = await newLink();
});

it('a choice before the consent is kept as a setting, and what it leaves out is never stored', async () => {
  const changes = { exclude_groups: ['interns'], max_deletes: 3 };
  await unwrap(first.sync.workspaceRuns.changeSettings(link.directoryId, changes));
  const { groups, etag } = await choice();
  expect(groups).toEqual([]);
  await unwrap(choose([' Nowhere ', 'nowhere', 'Elsewhere'], etag));
  expect((await choice()).groups).toEqual(['nowhere', 'Elsewhere']);
  expect(await settingsOf()).toMatchObject({
    ...changes,
    include_groups: ['nowhere', 'Elsewhere'],
  });
  expect(await runsOf()).toEqual([]);
  const [last] = await unwrap(first.sync.auditEvents.getAll({ targetId: link.directoryId }));
  expect(last).toMatchObject({
    type: 'directory.workspace_settings_changed',
    caller: `setup-link:${link.id}`,
    details: { fields: ['include_groups'], link_id: link.id },
  });

  await finish(second, link, await answerTo(first, google, link));
  await runQueued(first, link.directoryId);
  expect(await groupNames()).toEqual([]);
  const reading = await unwrap(setupOf(second).consents.reading(link.cookie));
  expect(reading).toMatchObject({ isConnected: true, hasNoGroup: true });
});

it('a choice after the consent begins a run that applies it', async () => {
  await finish(second, link, await answerTo(first, google, link));
  await runQueued(first, link.directoryId);
  const names = await groupNames();
  expect(names).toHaveLength(1);
  const { etag } = await choice();
  await unwrap(
    choose(
      names.map((name) => name.toUpperCase()),
      etag,
    ),
  );
  expect(await runsOf()).toEqual(['queued', 'succeeded']);
  await runQueued(first, link.directoryId);
  expect(await groupNames()).toEqual(names);
  expect(await unwrap(setupOf(second).consents.reading(link.cookie))).toMatchObject({
    hasNoGroup: false,
  });
});

it('nothing is stored over a choice that was changed since the page was shown', async () => {
  const { etag } = await choice();
  const include_groups = ['by the operator'];
  await unwrap(first.sync.workspaceRuns.changeSettings(link.directoryId, { include_groups }));
  expect((await choose(['Staff'], etag)).error?.code).toBe(409);
  const stale = await Promise.all(['a', 'b', 'c'].map((name) => choose([name], etag)));
  expect(stale.map(({ error }) => error?.code)).toEqual([409, 409, 409]);
  const { etag: now } = await choice();
  const raced = await Promise.all(['a', 'b', 'c'].map((name) => choose([name], now)));
  expect(raced.filter(({ error }) => error === null)).toHaveLength(1);
});

it.each([
  ['what is no list', 'Staff'],
  ['too many', Array.from({ length: 1_001 }, (_, n) => `g${n}`)],
  ['too long', ['x'.repeat(513)]],
  ['a control character', ['a\u0000b']],
  ['no name', ['  ']],
])('refuses %s', async (_, groups) => {
  const { etag } = await choice();
  expect((await choose(groups as string[], etag)).error?.code).toBe(400);
  expect((await settingsOf()).include_groups).toEqual([]);
});

it('needs a session that is open, of a link that allows it', async () => {
  const { etag } = await choice();
  const plain = await newLink({ allow: [] });
  expect((await choose(['Staff'], etag, plain)).error?.code).toBe(403);
  await unwrap(setupOf(second).links.revoke(link.id));
  expect((await choose(['Staff'], etag)).error?.code).toBe(410);
  expect((await settingsOf()).include_groups).toEqual([]);
});
