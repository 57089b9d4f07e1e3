/** Limits of setup links that are used twice, or many times at once. */
import { eventually } from '@gatehouse/testing';
import {
  type Json,
  openSync,
  silentLogger,
  type TestDirectory,
  useReplicas,
} from '@gatehouse/directory-sync/testing';
import { CALL, setupOf } from './setup-of.js';

const replicas = useReplicas();
let directory: TestDirectory;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
});

it('a directory has at most twenty links, also when many are created at the same time', async () => {
  const created = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const test = index % 2 ? replicas.answering : replicas.changing;
      return setupOf(test).links.create({ directory_id: directory.id }, CALL);
    }),
  );
  const refused = created.flatMap(({ error }) => error?.code ?? []);
  expect(refused).toEqual(Array.from({ length: 10 }, () => 409));
});

describe('a token of a link', () => {
  let linkId: string;
  let create: () => ReturnType<ReturnType<typeof setupOf>['sessions']['createToken']>;
  const tokenOf = async () => (await create()).data?.token ?? '';
  const statusOf = async (token: string) =>
    (await directory.send('GET', '/Users', undefined, { apiSecret: token })).status;
  const statusesOf = (...tokens: string[]) => Promise.all(tokens.map(statusOf));
  async function listed() {
    const { data } = await replicas.changing.sync.scimTokens.list(directory.id);
    if (!data?.[0]) throw new Error('The directory has no token.');
    return data[0];
  }
  /** Uses are recorded after the answer. */
  async function use(token: string): Promise<void> {
    expect(await statusOf(token)).toBe(200);
    await eventually(async () => expect((await listed()).last_used_at).not.toBeNull());
  }

  beforeEach(async () => {
    const { links: setupLinks, sessions: setupSessions } = setupOf(replicas.answering);
    const link = await setupLinks.create({ directory_id: directory.id }, CALL);
    linkId = link.data?.id ?? '';
    const secret = new URL(link.data?.url ?? '').pathname.replace('/setup/', '');
    const { data } = await setupSessions.open(secret, CALL);
    create = () => setupSessions.createToken(data?.cookie ?? '', CALL);
  });

  it('keeps its day in use when its replacement is replaced before it was used', async () => {
    const used = await tokenOf();
    await use(used);
    const lost = await tokenOf();
    const last = await tokenOf();
    expect(await statusesOf(used, lost, last)).toEqual([200, 401, 200]);
  });

  it('409: two that are in use keep working, until the first one ends', async () => {
    const first = await tokenOf();
    await use(first);
    const second = await tokenOf();
    await use(second);
    const before = await listed();
    const { error } = await create();
    const until = before.previous?.expires_at.slice(0, 16).replace('T', ' ') ?? '';
    expect(error).toMatchObject({ code: 409, message: expect.stringContaining(until) });
    expect(await statusesOf(first, second)).toEqual([200, 200]);
    await replicas.database.query(
      'UPDATE dsync.scim_tokens SET previous_until = now() WHERE directory_id = $1',
      [directory.id],
    );
    const third = await tokenOf();
    expect(await statusesOf(second, third)).toEqual([200, 200]);
  });

  it('does not outlive the expiry that the application gave it', async () => {
    const { scimTokens } = replicas.changing.sync;
    const token = await tokenOf();
    await use(token);
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    await scimTokens.update(directory.id, (await listed()).id, { expires_at });
    await tokenOf();
    expect((await listed()).previous?.expires_at).toBe(expires_at);
  });

  it('is not valid again once it has expired', async () => {
    const { scimTokens } = replicas.changing.sync;
    const token = await tokenOf();
    await use(token);
    await scimTokens.update(directory.id, (await listed()).id, { ttl: '1s' });
    await eventually(async () => expect(await statusOf(token)).toBe(401));
    const next = await tokenOf();
    expect(await statusesOf(token, next)).toEqual([401, 200]);
  });

  it('its use is recorded by the next request if that of the first one failed', async () => {
    const apiSecret = await tokenOf();
    let warnings = 0;
    const logger = { ...silentLogger, warn: () => (warnings += 1) };
    const test = await openSync(replicas.database.url, { logger });
    const send = () => {
      const target = { kind: 'collection', resource: 'User' } as const;
      const request = { directoryId: directory.id, apiSecret, method: 'GET', target, query: {} };
      return test.sync.requests.scim.respond(request);
    };
    const { query } = replicas.database;
    try {
      await query('ALTER TABLE dsync.scim_tokens RENAME COLUMN last_used_at TO taken_away');
      expect(await send()).toMatchObject({ status: 200 });
      await eventually(() => expect(warnings).toBe(1));
      await query('ALTER TABLE dsync.scim_tokens RENAME COLUMN taken_away TO last_used_at');
      expect(await send()).toMatchObject({ status: 200 });
      await eventually(async () => expect((await listed()).last_used_at).not.toBeNull());
    } finally {
      await test.close();
    }
  });

  it('goes with its link if that is asked, also when the link was revoked before', async () => {
    const { scimTokens, auditEvents } = replicas.changing.sync;
    const { links: setupLinks } = setupOf(replicas.changing);
    const other = await scimTokens.create(directory.id, { name: 'setup link of someone else' });
    const token = await tokenOf();
    expect(await statusOf(token)).toBe(200);
    await setupLinks.revoke(linkId, { delete_token: false }, CALL);
    expect(await statusOf(token)).toBe(200);
    for (let times = 0; times < 3; times += 1) {
      const { data } = await setupLinks.revoke(linkId, { delete_token: true }, CALL);
      expect(data).toMatchObject({ id: linkId, state: 'revoked' });
    }
    expect(await statusesOf(token, other.data?.secret ?? '')).toEqual([401, 200]);
    const { data: audit } = await auditEvents.getAll({});
    const ofLink = audit?.filter(({ details }) => (details as Json)?.link_id === linkId) ?? [];
    expect(ofLink.map(({ type, caller }) => [type, caller]).slice(0, 2)).toEqual([
      ['scim_token.deleted', CALL.caller],
      ['directory.setup_link_revoked', CALL.caller],
    ]);
    expect(ofLink.filter(({ type }) => /deleted|revoked/.test(type))).toHaveLength(2);
  });

  it('is not left over when it is created while its link is revoked', async () => {
    const { scimTokens } = replicas.changing.sync;
    const { links: setupLinks } = setupOf(replicas.changing);
    const results = await Promise.all([
      ...Array.from({ length: 5 }, () => create()),
      setupLinks.revoke(linkId, { delete_token: true }, CALL),
      ...Array.from({ length: 5 }, () => create()),
    ]);
    expect(results[5]?.error).toBeNull();
    expect((await scimTokens.list(directory.id)).data).toEqual([]);
  });

  it('400 for an option that is neither true nor false, 404 for an unknown link', async () => {
    const { links: setupLinks } = setupOf(replicas.answering);
    const odd = { delete_token: 'yes' as unknown as boolean };
    expect((await setupLinks.revoke(linkId, odd, CALL)).error).toMatchObject({
      code: 400,
      message: expect.stringContaining('delete_token'),
    });
    const unknown = '01900000-0000-7000-8000-000000000000';
    const { error } = await setupLinks.revoke(unknown, { delete_token: true }, CALL);
    expect(error?.code).toBe(404);
  });
});
