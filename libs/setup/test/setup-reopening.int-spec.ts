/** Access after the answer that opened a setup link was lost. */
import { type TestDirectory, useReplicas } from '@gatehouse/directory-sync/testing';
import { CALL, codeOf, setupOf } from './setup-of.js';

const replicas = useReplicas();
let directory: TestDirectory;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
});

const links = () => setupOf(replicas.answering).links;
const sessions = () => setupOf(replicas.answering).sessions;
const otherSessions = () => setupOf(replicas.changing).sessions;

async function newLink(): Promise<{ id: string; secret: string }> {
  const { data } = await links().create({ directory_id: directory.id }, CALL);
  const { id = '', url = '' } = data ?? {};
  return { id, secret: new URL(url).pathname.replace('/setup/', '') };
}
async function openLink(secret: string): Promise<string> {
  const { data, error } = await sessions().open(secret, CALL);
  if (error) throw new Error(error.message);
  return data.cookie;
}
const minutesPass = (id: string, minutes: number) =>
  replicas.database.query(
    `UPDATE dsync.setup_links SET opened_at = opened_at - make_interval(mins => $2),
      reopen_until = reopen_until - make_interval(mins => $2) WHERE id = $1`,
    [id, minutes],
  );

it('a link whose cookie was lost opens again, and the lost cookie is worth nothing', async () => {
  const { id, secret } = await newLink();
  const lost = await openLink(secret);
  const before = (await links().get(id)).data;
  expect(await codeOf(otherSessions().peek(secret))).toBe(200);
  const cookie = await openLink(secret);
  expect(await codeOf(otherSessions().enter(lost))).toBe(410);
  expect(await codeOf(otherSessions().enter(cookie))).toBe(200);
  const { opened_at, session_expires_at } = before ?? {};
  expect((await links().get(id)).data).toMatchObject({ opened_at, session_expires_at });
});

it('of all that open a link at the same time, on any replica, one gets in', async () => {
  const { id, secret } = await newLink();
  const opened = await Promise.all(
    [sessions(), otherSessions(), sessions(), otherSessions()].map((each) =>
      each.open(secret, CALL),
    ),
  );
  const cookies = opened.map(({ data }) => data?.cookie ?? '');
  const entered = await Promise.all(cookies.map((cookie) => codeOf(sessions().enter(cookie))));
  expect(entered.sort()).toEqual([200, 410, 410, 410]);
  expect(await codeOf(sessions().peek(secret))).toBe(410);
  expect(await codeOf(otherSessions().open(secret, CALL))).toBe(410);
  const notices = await replicas.database.query<{ type: string }>(
    `SELECT type FROM dsync.events WHERE data->>'link_id' = $1`,
    [id],
  );
  expect(notices).toEqual([{ type: 'directory.setup_opened' }]);
  const { auditEvents } = replicas.changing.sync;
  const { data } = await auditEvents.getAll({ targetId: directory.id });
  const types = data?.map(({ type }) => type).filter((type) => type.endsWith('opened'));
  expect(types).toEqual([
    ...Array<string>(3).fill('directory.setup_reopened'),
    'directory.setup_opened',
  ]);
});

it('two minutes after the first opening it opens no more', async () => {
  const { id, secret } = await newLink();
  await openLink(secret);
  await minutesPass(id, 1);
  const cookie = await openLink(secret);
  await minutesPass(id, 1);
  expect(await codeOf(otherSessions().peek(secret))).toBe(410);
  expect(await codeOf(otherSessions().open(secret, CALL))).toBe(410);
  // The one who opened it last may still come, until the session expires.
  expect(await codeOf(otherSessions().enter(cookie))).toBe(200);
});

it.each(['enter', 'proof', 'chooseProvider', 'createToken'] as const)(
  'the first request with the cookie closes it: %s',
  async (operation) => {
    const { secret } = await newLink();
    const cookie = await openLink(secret);
    const session = otherSessions();
    if (operation === 'chooseProvider') await session.chooseProvider(cookie, 'okta', CALL);
    else await session[operation](cookie, CALL);
    expect(await codeOf(sessions().open(secret, CALL))).toBe(410);
    expect(await codeOf(session.enter(cookie))).toBe(200);
  },
);

it('who enters and who opens again at the same time: exactly one cookie works', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { secret } = await newLink();
    const first = await openLink(secret);
    const [entered, reopened] = await Promise.all([
      codeOf(sessions().enter(first)),
      otherSessions().open(secret, CALL),
    ]);
    const second = reopened.data?.cookie ?? '';
    const codes = [await codeOf(sessions().enter(first)), await codeOf(sessions().enter(second))];
    expect(codes).toEqual(entered === 200 ? [200, 410] : [410, 200]);
  }
});

it('neither a revoked link nor one whose session was ended opens again', async () => {
  const { id, secret } = await newLink();
  await openLink(secret);
  await links().endSession(id, CALL);
  expect(await codeOf(sessions().open(secret, CALL))).toBe(410);
  const other = await newLink();
  await openLink(other.secret);
  await links().revoke(other.id, {}, CALL);
  expect(await codeOf(sessions().open(other.secret, CALL))).toBe(410);
});
