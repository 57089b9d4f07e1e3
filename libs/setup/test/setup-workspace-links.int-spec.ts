/** Workspace directories that may have setup links. */
import { type TestDatabase } from '@gatehouse/testing';
import { type NewSetupLinkInput } from '../src/links/setup-link.input.js';
import { createSyncDatabase, openSync, type TestSync } from '@gatehouse/directory-sync/testing';
import { CALL, setupOf, unwrap } from './setup-of.js';

let database: TestDatabase;
let test: TestSync;
/** Without any client. */
let bare: TestSync;

beforeAll(async () => {
  database = await createSyncDatabase();
  test = await openSync(database.url, {
    workspace: {
      google: { clientId: 'client', clientSecret: 'secret' },
      entra: { clientId: '5d1f3c1a-1111-4a4a-8b8b-000000000001' },
    },
  });
  bare = await openSync(database.url, { workspace: { google: { clientId: 'client' } } });
});
afterAll(async () => {
  await test.close();
  await bare.close();
  await database.drop();
});

const WORKSPACE = { product: 'p', type: 'workspace' } as const;
const create = (input: Partial<NewSetupLinkInput>, on: TestSync = test) =>
  setupOf(on).links.create(input, CALL);
const countOf = async (tenant: string) =>
  (await unwrap(test.sync.directories.getByTenantAndProduct(tenant, 'p'))).length;

it.each<[Partial<NewSetupLinkInput>, object]>([
  [{}, { workspace_provider: 'google' }],
  [{ type: 'google', workspace_domain: 'Example.COM' }, { workspace_domain: 'example.com' }],
  [
    { workspace_provider: 'entra', workspace_domain: 'contoso.onmicrosoft.com' },
    { workspace_provider: 'entra', workspace_domain: 'contoso.onmicrosoft.com' },
  ],
])('a link can come with a new workspace directory: %j', async (input, expected) => {
  const tenant = crypto.randomUUID();
  const link = await unwrap(create({ tenant, ...WORKSPACE, ...input }));
  expect(link).toMatchObject({ state: 'unopened', allow: [], attributes: [], provider: null });
  const directory = await unwrap(test.sync.directories.get(link.directory_id));
  expect(directory).toMatchObject({ type: 'workspace', tenant, ...expected });
  const again = await unwrap(create({ directory_id: link.directory_id, allow: [] }));
  expect(again).toMatchObject({ directory_id: link.directory_id, allow: [] });
});

it('a link can come with a new directory of a provider that sends requests', async () => {
  const scope = { tenant: crypto.randomUUID(), product: 'p' };
  const link = await unwrap(create({ ...scope, type: 'okta-scim-v2' }));
  expect(link).toMatchObject({ allow: ['token'] });
  const { type } = await unwrap(test.sync.directories.get(link.directory_id));
  expect(type).toBe('okta-scim-v2');
});

it.each<[object, string]>([
  [{ type: 'unknown' }, 'type'],
  [{ workspace_provider: 'okta' }, 'workspace_provider'],
  [{ workspace_domain: 'no domain' }, 'workspace_domain'],
  [{ workspace_provider: 'entra' }, 'workspace_domain'],
  [{ workspace_administrator: 'admin@example.com' }, 'workspace_administrator'],
  [{ allow: ['token'] }, 'allow'],
  [{ allow: ['groups', 'mapping'] }, 'allow'],
  [{ type: 'okta-scim-v2', allow: ['groups'] }, 'allow'],
  [{ allow: ['mapping'], attributes: ['rank'] }, 'allow'],
  [{ attributes: ['rank'] }, 'attributes'],
  [{ type: 'okta-scim-v2', workspace_domain: 'example.com' }, 'workspace_domain'],
])('400: %j names the field, and makes no directory', async (input, field) => {
  const tenant = crypto.randomUUID();
  const { error } = await create({ tenant, ...WORKSPACE, ...input });
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining(field) });
  expect(await countOf(tenant)).toBe(0);
});

it('400: a directory that exists has the members that it has', async () => {
  const { directory_id } = await unwrap(create({ tenant: crypto.randomUUID(), ...WORKSPACE }));
  for (const more of [{ type: 'workspace' }, { workspace_domain: 'example.com' }]) {
    const { error } = await create({ directory_id, ...more });
    expect(error?.message).toContain('cannot be sent with directory_id');
  }
});

it('400: a directory that a service account reads needs no link', async () => {
  const administrator = { type: 'workspace', workspace_administrator: 'admin@example.com' };
  const { id } = await test.newDirectory(administrator);
  const { error } = await create({ directory_id: id });
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining('service account') });
});

it.each([
  [{}, 'WORKSPACE_CLIENT_SECRET'],
  [{ workspace_provider: 'entra', workspace_domain: 'example.com' }, 'WORKSPACE_ENTRA_CLIENT_ID'],
] as const)('409: without a client at the provider, %j', async (input, setting) => {
  const tenant = crypto.randomUUID();
  const { error } = await create({ tenant, ...WORKSPACE, ...input }, bare);
  expect(error).toMatchObject({ code: 409, message: expect.stringContaining(setting) });
  expect(await countOf(tenant)).toBe(0);
});
