// Tokens beside the SCIM secret of a directory. One replica has cached the directory that the other
// changes, so a token that is no longer valid must not be accepted by it.
import { hasIssuedSecretShape } from '@gatehouse/crypto';
import { eventually } from '@gatehouse/testing';
import { type ScimTokenSecretView } from '../../src/scim-tokens/scim-token.view.js';
import { useReplicas } from '../fixture.js';
import { patch, type TestDirectory, user } from '../harness.js';

const replicas = useReplicas();
let directory: TestDirectory;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
});

/** The tokens as the replica sees them that does not answer SCIM requests. */
const tokens = () => replicas.changing.sync.scimTokens;
async function dataOf<T>(result: Promise<{ data: T; error: unknown }>): Promise<NonNullable<T>> {
  const { data, error } = await result;
  expect(error).toBeNull();
  return data as NonNullable<T>;
}
const create = (input: object = {}, of = directory): Promise<ScimTokenSecretView> =>
  dataOf(tokens().create(of.id, { name: `token-${Math.random()}`, ...input }));
const codeOf = async (result: Promise<{ error: { code: number } | null }>) =>
  (await result).error?.code;
/** The answer to a request that fills the cache, or is checked against it. */
const list = (apiSecret: string, of = directory) =>
  of.send('GET', '/Users', undefined, { apiSecret });
const statusOf = async (apiSecret: string) => (await list(apiSecret)).status;
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

it('a token is valid beside the secret, is shown once, and only its hash is stored', async () => {
  const { secret, ...token } = await create({ name: 'Okta', ttl: '90d' });
  expect(hasIssuedSecretShape(secret)).toBe(true);
  expect(secret).toMatch(/^gate_scim_v1_/);
  expect(token).toMatchObject({ name: 'Okta', preview: `gate_scim_v1_…${secret.slice(-4)}` });
  expect(Math.round((Date.parse(token.expires_at ?? '') - Date.now()) / 86_400_000)).toBe(90);
  expect([await statusOf(secret), await statusOf(directory.scim.secret)]).toEqual([200, 200]);
  expect(await dataOf(tokens().list(directory.id))).toMatchObject([{ id: token.id }]);
  const { data: audit } = await replicas.changing.sync.auditEvents.getAll({ targetId: token.id });
  expect(audit).toMatchObject([
    { type: 'scim_token.created', details: { directory_id: directory.id } },
  ]);
  const rows = await replicas.database.query<{ row: string }>(
    `SELECT t::text || coalesce(encode(t.sha256, 'escape'), '') AS row FROM dsync.scim_tokens t
      UNION ALL SELECT d::text FROM dsync.directories d
      UNION ALL SELECT e::text FROM dsync.audit_events e`,
  );
  const stored = rows.map(({ row }) => row).join();
  const shown = JSON.stringify(await tokens().get(directory.id, token.id));
  for (const text of [stored, shown]) expect(text).not.toContain(secret.slice(13, -4));
});

it('a deleted token is refused at once by a replica that has cached it, for every kind of request', async () => {
  const { data: ann } = await directory.send('POST', '/Users', user('ann'));
  const requests: [string, string, unknown][] = [
    ['GET', '/Users', undefined],
    ['GET', `/Users/${ann.id}`, undefined],
    ['POST', '/Users', user('bob')],
    ['PATCH', `/Users/${ann.id}`, patch({ op: 'replace', path: 'userName', value: 'eve' })],
    ['POST', '/Users', { userName: 7 }],
    ['GET', '/ServiceProviderConfig', undefined],
  ];
  for (const [method, path, body] of requests) {
    const { id, secret: apiSecret } = await create();
    await directory.send(
      'PATCH',
      `/Users/${ann.id}`,
      patch({ op: 'add', path: 'title', value: 'x' }),
      {
        apiSecret,
      },
    );
    expect(await statusOf(apiSecret)).toBe(200);
    expect(await codeOf(tokens().delete(directory.id, id))).toBeUndefined();
    const { status } = await directory.send(method, path, body, { apiSecret });
    expect([method, path, status]).toEqual([method, path, 401]);
  }
  const users = await replicas.database.query(
    'SELECT user_name AS name FROM dsync.users WHERE directory_id = $1',
    [directory.id],
  );
  expect(users).toEqual([{ name: 'ann' }]);
});

it('a token is refused from its expiry on, also where it is cached, and valid again with a later one', async () => {
  const { id, secret } = await create();
  expect(await statusOf(secret)).toBe(200);
  await dataOf(tokens().update(directory.id, id, { ttl: '1s' }));
  await eventually(async () => expect(await statusOf(secret)).toBe(401));
  expect(await statusOf(directory.scim.secret)).toBe(200);
  await dataOf(tokens().update(directory.id, id, { expires_at: later(1) }));
  expect(await statusOf(secret)).toBe(200);
  expect(await dataOf(tokens().update(directory.id, id, { expires_at: null }))).toMatchObject({
    expires_at: null,
  });
  expect(await statusOf(secret)).toBe(200);
});

it('both secrets of a rotated token are valid during the overlap, and no longer', async () => {
  const old = await create();
  expect(await statusOf(old.secret)).toBe(200);
  const next = await dataOf(tokens().rotate(directory.id, old.id, { overlap: '1s' }));
  expect(next).toMatchObject({ id: old.id, name: old.name, previous: expect.any(Object) });
  expect([await statusOf(old.secret), await statusOf(next.secret)]).toEqual([200, 200]);
  await eventually(async () => expect(await statusOf(old.secret)).toBe(401));
  expect(await dataOf(tokens().get(directory.id, old.id))).toMatchObject({ previous: null });
  const last = await dataOf(tokens().rotate(directory.id, old.id));
  expect([await statusOf(next.secret), await statusOf(last.secret)]).toEqual([401, 200]);
});

it('a rotation does not prolong the secret that it replaces', async () => {
  const expiring = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
  const { data: rotated } = await tokens().rotate(directory.id, expiring.id, {
    overlap: '24h',
    ttl: '90d',
  });
  expect(rotated?.previous?.expires_at).toBe(expiring.expires_at);
  const expired = await create({ ttl: '1s' });
  await eventually(async () => expect(await statusOf(expired.secret)).toBe(401));
  const next = await dataOf(
    tokens().rotate(directory.id, expired.id, { overlap: '24h', ttl: '1d' }),
  );
  expect([await statusOf(expired.secret), await statusOf(next.secret)]).toEqual([401, 200]);
});

it('the previous secret is valid no longer than its token', async () => {
  const { id, secret } = await create();
  const rotated = await dataOf(tokens().rotate(directory.id, id, { overlap: '24h', ttl: '1h' }));
  expect(rotated.previous?.expires_at).toBe(rotated.expires_at);
  expect(await statusOf(secret)).toBe(200);
  const updated = await dataOf(tokens().update(directory.id, id, { ttl: '1s' }));
  expect(updated.previous?.expires_at).toBe(updated.expires_at);
  await eventually(async () => expect(await statusOf(secret)).toBe(401));
  expect(await statusOf(rotated.secret)).toBe(401);
});

it('the rotation of a token that expires says when the new secret does', async () => {
  const { id } = await create({ ttl: '90d' });
  const { error } = await tokens().rotate(directory.id, id, {});
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining('ttl') as string });
  expect(await dataOf(tokens().rotate(directory.id, id, { expires_at: null }))).toMatchObject({
    expires_at: null,
  });
});

it('a token of another directory gets the same response as a wrong one and an unknown directory', async () => {
  const other = await replicas.answering.newDirectory();
  const { id, secret } = await create({}, other);
  expect((await list(secret, other)).status).toBe(200);
  const refusal = await list(secret);
  expect(refusal.status).toBe(401);
  expect(await list('wrong')).toEqual(refusal);
  expect(await list(secret, { ...directory, id: crypto.randomUUID() })).toEqual(refusal);
  for (const call of [
    tokens().get(directory.id, id),
    tokens().update(directory.id, id, { name: 'mine' }),
    tokens().rotate(directory.id, id),
    tokens().delete(directory.id, id),
  ]) {
    expect(await codeOf(call as Promise<{ error: { code: number } | null }>)).toBe(404);
  }
  expect((await list(secret, other)).status).toBe(200);
});

it('two replicas create at most ten tokens, and one of a name', async () => {
  const create = (replica: typeof replicas.answering, name: string) =>
    replica.sync.scimTokens.create(directory.id, { name });
  const both = [replicas.answering, replicas.changing];
  const twice = await Promise.all(both.map((replica) => create(replica, 'same')));
  expect(twice.map(({ error }) => error?.code ?? 201).sort()).toEqual([201, 409]);
  const many = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      create(both[n % 2] as typeof replicas.answering, `t-${n}`),
    ),
  );
  expect(many.filter(({ error }) => error?.code === 409)).toHaveLength(7);
  expect(await dataOf(tokens().list(directory.id))).toHaveLength(10);
  const [first, second] = await dataOf(tokens().list(directory.id));
  const renamed = tokens().update(directory.id, first?.id ?? '', { name: second?.name });
  expect(await codeOf(renamed)).toBe(409);
});

it('the last use is that of the secret that was sent', async () => {
  const old = await create();
  const unused = await create();
  expect(await statusOf(old.secret)).toBe(200);
  const usesOf = async (id: string) => {
    const { last_used_at, previous } = await dataOf(tokens().get(directory.id, id));
    return [last_used_at !== null, previous && previous.last_used_at !== null];
  };
  await eventually(async () => expect(await usesOf(old.id)).toEqual([true, null]));
  const next = await dataOf(tokens().rotate(directory.id, old.id, { overlap: '1h' }));
  expect(await usesOf(old.id)).toEqual([false, true]);
  await replicas.database.query(
    'UPDATE dsync.scim_tokens SET previous_used_at = NULL WHERE id = $1',
    [old.id],
  );
  // A replica that has recorded nothing within a minute.
  const { scim } = replicas.changing.sync.requests;
  const send = (apiSecret: string) =>
    scim.respond({
      directoryId: directory.id,
      apiSecret,
      method: 'GET',
      query: {},
      target: { kind: 'collection', resource: 'User' },
    });
  await send(old.secret);
  await eventually(async () => expect(await usesOf(old.id)).toEqual([false, true]));
  const secretUse = async () =>
    (await replicas.changing.sync.directories.status(directory.id)).data?.requests
      ?.secret_last_used_at;
  expect(await secretUse()).toBeNull();
  await send(next.secret);
  await eventually(async () => expect(await usesOf(old.id)).toEqual([true, true]));
  await send(directory.scim.secret);
  await eventually(async () => expect(await secretUse()).toEqual(expect.any(String)));
  expect(await usesOf(unused.id)).toEqual([false, null]);
});

describe('the SCIM secret of the directory', () => {
  const retire = () => tokens().retireSecret(directory.id);

  it('is retired only while a token is valid', async () => {
    expect(await codeOf(retire())).toBe(409);
    const { secret } = await create({ ttl: '1s' });
    await eventually(async () => expect(await statusOf(secret)).toBe(401));
    expect(await codeOf(retire())).toBe(409);
    expect(await statusOf(directory.scim.secret)).toBe(200);
  });

  it('is refused at once after it was retired, with the one before, until it is rotated', async () => {
    const { secret } = await create();
    const { sync } = replicas.changing;
    const { data } = await sync.directories.rotateSecret(directory.id, '1h');
    const current = data?.scim.secret ?? '';
    expect(await statusOf(current)).toBe(200);
    expect(await codeOf(retire())).toBeUndefined();
    expect(await codeOf(retire())).toBeUndefined();
    const statuses = [current, directory.scim.secret, '', secret].map(statusOf);
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200]);
    expect((await sync.directories.get(directory.id)).data?.scim.secret).toBe('');
    const { data: audit } = await sync.auditEvents.getAll({ type: 'directory.secret_retired' });
    expect(audit?.filter(({ target_id }) => target_id === directory.id)).toHaveLength(1);
    const rotated = await sync.directories.rotateSecret(directory.id, '1h');
    expect(await statusOf(rotated.data?.scim.secret ?? '')).toBe(200);
    expect(await statusOf(current)).toBe(401);
  });
});

it.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'a\u0000b' }, 'name'],
  [{ name: 'n', ttl: '11y' }, 'ttl'],
  [{ name: 'n', ttl: 'soon' }, 'ttl'],
  [{ name: 'n', ttl: '1d', expires_at: '2027-01-31T12:00:00Z' }, 'ttl'],
  [{ name: 'n', expires_at: '2026-01-31T12:00:00Z' }, 'expires_at'],
  [{ name: 'n', expires_at: '2027-02-30T12:00:00Z' }, 'expires_at'],
  [{ name: 'n', expires_at: '9999-01-01T00:00:00Z' }, 'expires_at'],
  [{ name: 'n', expires_at: 1_800_000_000 }, 'expires_at'],
  [{ name: 'n', secret: 'my-own' }, 'secret'],
])('a new token %j is refused with 400, which names the field', async (input, field) => {
  const { error } = await tokens().create(directory.id, input as never);
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining(field) as string });
});

it('a workspace directory has no tokens, and an unknown one neither', async () => {
  const { id } = await replicas.answering.newDirectory({ type: 'workspace' });
  expect(await codeOf(tokens().create(id, { name: 'n' }))).toBe(400);
  expect(await codeOf(tokens().retireSecret(id))).toBe(400);
  for (const unknown of ['x', crypto.randomUUID()]) {
    expect(await codeOf(tokens().create(unknown, { name: 'n' }))).toBe(404);
  }
});

it('a deleted directory leaves no tokens', async () => {
  const { secret } = await create();
  expect(await statusOf(secret)).toBe(200);
  await replicas.changing.sync.directories.delete(directory.id);
  expect(await statusOf(secret)).toBe(401);
  const rows = await replicas.database.query(
    'SELECT 1 FROM dsync.scim_tokens WHERE directory_id = $1',
    [directory.id],
  );
  expect(rows).toEqual([]);
});
