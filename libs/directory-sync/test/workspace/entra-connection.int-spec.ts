// Connects directories of Entra ID, which the application reads in its own name.
import { type FakeEntra, startFakeEntra, type TestDatabase } from '@gatehouse/testing';
import { createSyncDatabase, openSync, type TestSync } from '../harness.js';
import { entraOf } from './entra-fixture.js';

let entra: FakeEntra;
let database: TestDatabase;
let test: TestSync;

beforeAll(async () => {
  entra = await startFakeEntra();
  database = await createSyncDatabase();
  test = await openSync(database.url, {
    workspace: {
      retryDelayMs: 1,
      entra: entraOf(entra),
    },
  });
});
afterAll(async () => {
  await test.close();
  await database.drop();
  await entra.close();
});
beforeEach(() => {
  entra.directory.isConsented = true;
});

const newDirectory = () =>
  test.newDirectory({
    type: 'workspace',
    workspace_provider: 'entra',
    workspace_domain: entra.tenant,
  });
const stateOf = async (id: string) => (await test.sync.directories.status(id)).data?.workspace;
const consent = async (id: string) => {
  const { data } = await test.sync.workspace.generateAuthorizationUrl(id);
  const back = new URL(await entra.consent(data?.authorizationUrl ?? ''));
  return Object.fromEntries(back.searchParams);
};

it('a directory of Entra ID names its tenant', async () => {
  const scope = { tenant: 'acme', product: 'crm', type: 'workspace', workspace_provider: 'entra' };
  const wrong = [
    [{}, 'workspace_domain: must be the Entra ID tenant'],
    [{ workspace_domain: 'a/b' }, 'workspace_domain: must be a domain'],
    [
      { workspace_domain: 'example.com', workspace_administrator: 'a@example.com' },
      'workspace_administrator: is only for the provider google',
    ],
  ] as const;
  for (const [more, message] of wrong) {
    const { error } = await test.sync.directories.create({ ...scope, ...more } as never);
    expect(error).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  }
  const { id } = await newDirectory();
  const { error } = await test.sync.directories.update(id, { workspace_domain: '' });
  expect(error).toMatchObject({ code: 400 });
});

it('is read without stored tokens, and recovers once an administrator has consented', async () => {
  const { id } = await newDirectory();
  const session = await test.sync.connections.open(id);
  expect((await session.listUsers(null)).items).toHaveLength(3);
  entra.directory.isConsented = false;
  entra.directory.expireAccessTokens();
  await expect(session.listUsers(null)).rejects.toMatchObject({ kind: 'needs_authorization' });
  expect(await stateOf(id)).toMatchObject({
    provider: 'entra',
    state: 'needs_authorization',
    reason: expect.stringContaining('must consent'),
  });
  const denied = await test.sync.workspace.completeAuthorization(await consent(id));
  expect(denied.error).toMatchObject({ code: 400 });
  entra.directory.isConsented = true;
  const answer = await consent(id);
  expect((await test.sync.workspace.completeAuthorization(answer)).error).toBeNull();
  expect((await test.sync.workspace.completeAuthorization(answer)).error?.code).toBe(400);
  expect(await stateOf(id)).toMatchObject({ state: 'authorized', reason: null });
});

it('recovers by itself when the consent was given at Entra ID', async () => {
  const { id } = await newDirectory();
  entra.directory.isConsented = false;
  const session = await test.sync.connections.open(id);
  await expect(session.listGroups(null)).rejects.toMatchObject({ kind: 'needs_authorization' });
  entra.directory.isConsented = true;
  const next = await test.sync.connections.open(id);
  expect((await next.listGroups(null)).items).toHaveLength(1);
  expect(await stateOf(id)).toMatchObject({ state: 'authorized', reason: null });
});

it('has no code to exchange', async () => {
  const { id } = await newDirectory();
  const answer = await consent(id);
  const { workspace } = test.sync;
  const { state = '' } = answer;
  const withCode = await workspace.completeAuthorization({ state, code: 'x' });
  expect(withCode.error).toMatchObject({ code: 400 });
  const exchanged = await workspace.getAccessToken({ directoryId: id, code: 'x' });
  expect(exchanged.error?.code).toBe(400);
});

it('a consent and its audit event are stored together or not at all', async () => {
  const { id } = await newDirectory();
  await test.dataSource.query(`UPDATE dsync.workspace_connections
    SET state = 'needs_authorization', reason = 'test' WHERE directory_id = '${id}'`);
  const refuse = `ADD CONSTRAINT refused CHECK (type <> 'directory.connected') NOT VALID`;
  await test.dataSource.query(`ALTER TABLE dsync.audit_events ${refuse}`);
  try {
    const { error } = await test.sync.workspace.completeAuthorization(await consent(id));
    expect(error).toMatchObject({ code: 500 });
    expect(await stateOf(id)).toMatchObject({ state: 'needs_authorization' });
  } finally {
    await test.dataSource.query('ALTER TABLE dsync.audit_events DROP CONSTRAINT refused');
  }
});
