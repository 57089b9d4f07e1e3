/** `gatehouse apply`: from a file to the state of all services, and from there to no change. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { ADMIN_KEY, openSmall, type SmallGate } from '../../gatehouse/test/gate.js';
import { CommandLine, rowsOf } from './command-line.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TOKEN = 'Bearer a-token-of-the-receiver';
const FILE = `
schemas:
  customer:
    public: true
    schema: { type: object, properties: { traits: { type: object, properties: { age: { type: integer } } } } }
directories:
  - tenant: acme
    product: shop
    name: Acme
    type: okta-scim-v2
    webhook_url: http://127.0.0.1:3000/acme
    webhook_secret: \${ACME_SECRET}
    attribute_mapping: { department: displayName }
    endpoints:
      - { url: "http://127.0.0.1:3000/audit", types: [user.deleted, user.created], headers: { Authorization: "\${AUDIT_TOKEN}" } }
    roles:
      default_role: member
      rules:
        - { group: { display_name: Administrators }, role: admin, priority: 10 }
        - { group: { external_id: abc }, role: editor }
  - { tenant: umbrella, product: shop }
keys: { endpoints: [{ url: "http://127.0.0.1:3000/keys" }] }
identities: { endpoints: [{ url: "http://127.0.0.1:3000/people", secret: "\${ACME_SECRET}" }] }
key_links:
  - { tenant: acme, product: shop, attribute: email, email_domains: [Acme.example], on_delete: revoke }
trust_rules:
  - name: Deployments
    actor_id: octo
    issuer: https://token.example.com
    audience: https://keys.example.com
    subject_pattern: repo:octo/*
    scopes: [orders:write, orders:read]
    tags: [zeta, alpha]
    token_ttl: 15m
`;

let database: TestDatabase;
let gate: SmallGate;
let gatehouse: Gatehouse;
let cli: CommandLine;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openSmall(database);
  const url = gate.process.adminUrl;
  gatehouse = createGatehouse({ url, key: ADMIN_KEY });
  cli = new CommandLine({
    GATEHOUSE_URL: url,
    GATEHOUSE_KEY: ADMIN_KEY,
    ACME_SECRET: SECRET,
    AUDIT_TOKEN: TOKEN,
  });
});
afterAll(async () => {
  cli.close();
  await gate.close();
  await database.drop();
});

function apply(text: string, ...args: string[]) {
  const path = join(cli.folder, 'gatehouse.yaml');
  writeFileSync(path, text);
  return cli.run('apply', '-f', path, ...args);
}

const idOf = async (tenant: string) =>
  (await gatehouse.directories.list({ tenant, product: 'shop' }))[0]?.id ?? '';

it('a dry run shows what would change, and changes nothing', async () => {
  const { code, stdout, stderr } = await apply(FILE, '--dry-run');
  expect([code, stderr]).toEqual([0, expect.stringContaining('9 to create')]);
  expect(stdout).toContain('+ create directory acme/shop "Acme"\n    + tenant: "acme"');
  for (const secret of [SECRET, TOKEN]) expect(stdout).not.toContain(secret);
  expect(await gatehouse.directories.listOfProduct({ product: 'shop' })).toEqual([]);
  expect((await apply(FILE, '--dry-run', '--exit-code')).code).toBe(4);
});

it('creates everything, prints generated secrets once, and applied again changes nothing', async () => {
  const first = await apply(FILE, '--json');
  expect(first.code).toBe(0);
  const secrets = rowsOf(first).filter((step) => 'secret' in step);
  expect(secrets.map(({ object }) => object)).toEqual([
    'webhook endpoint http://127.0.0.1:3000/audit of directory acme/shop "Acme"',
    'webhook endpoint http://127.0.0.1:3000/keys of keys',
  ]);
  for (const again of [await apply(FILE), await apply(FILE, '--dry-run', '--exit-code')]) {
    expect(again).toEqual({ code: 0, stdout: '', stderr: 'No changes in 9 objects.\n' });
  }
  const directoryId = await idOf('acme');
  expect((await gatehouse.directories.get({ id: directoryId })).webhook.secret).toBe(SECRET);
  expect(await gatehouse.directories.roleMapping.get({ directoryId })).toMatchObject({
    default_role: 'member',
    rules: [{ role: 'admin' }, { role: 'editor' }],
  });
});

it('changes what differs, and leaves what the file does not name', async () => {
  const id = await idOf('acme');
  await gatehouse.directories.update({ id, strict: true });
  const changed = FILE.replace('role: editor', 'role: author')
    .replace('age: { type: integer }', 'age: { type: number }')
    .replace('token_ttl: 15m', 'token_ttl: 20m')
    .replace('/acme\n', '/new\n')
    .replace('on_delete: revoke', 'on_delete: pause')
    .replace('headers: { Authorization', 'on_poison: block, headers: { X-Audit');
  const { code, stdout } = await apply(changed);
  expect(code).toBe(0);
  for (const line of [
    '- rules[1].role: "editor"',
    '+ rules[1].role: "author"',
    '+ token_ttl: "1200s"',
  ]) {
    expect(stdout).toContain(`    ${line}\n`);
  }
  expect((await apply(changed)).stderr).toBe('No changes in 9 objects.\n');
  expect(await gatehouse.directories.get({ id })).toMatchObject({
    strict: true,
    webhook: { endpoint: 'http://127.0.0.1:3000/new', secret: SECRET },
  });
  expect((await gatehouse.schemas.get({ id: 'customer' })).version).toBe(2);
});

it('deletes only with --prune and --yes, of kinds that the file has, and of its products', async () => {
  const other = await gatehouse.directories.create({ tenant: 'acme', product: 'other' });
  const [first = '', rest = ''] = FILE.split(/ {4}endpoints:[^]+?(?= {2}- \{ tenant: umbrella)/);
  const less = `${first}    endpoints: []\n${rest}`
    .replace(/ {2}- \{ tenant: umbrella.*\n/, '')
    .replace(/identities: .*\n/, '')
    .replace(/ {2}- \{ tenant: acme, product: shop, attr.*\n/, '  []\n')
    .replace('name: Deployments', 'name: Other');
  expect((await apply(less)).stderr).toContain('0 to delete');
  expect(await apply(less, '--prune')).toMatchObject({ code: 2 });
  const umbrella = await idOf('umbrella');
  const { code, stdout } = await apply(less, '--prune', '--yes');
  expect([code, stdout.split('\n').filter((line) => line.startsWith('- '))]).toEqual([
    0,
    [
      '- delete trust rule "Deployments"',
      '- delete directory umbrella/shop "scim-umbrella-shop" with its users and groups',
      '- delete webhook endpoint http://127.0.0.1:3000/audit of directory acme/shop "Acme"',
    ],
  ]);
  await expect(gatehouse.directories.get({ id: umbrella })).rejects.toMatchObject({ status: 404 });
  expect(await gatehouse.directories.get({ id: other.id })).toMatchObject({ product: 'other' });
  expect((await gatehouse.identities.webhookEndpoints.list()).webhook_endpoints).toHaveLength(1);
});

it('says what is done when a step fails, and the next apply does the rest', async () => {
  const refused = `
schemas: { late: { schema: { properties: { traits: { type: object } } } } }
key_links: [{ tenant: wayne, product: shop, attribute: email }]
trust_rules: []
`;
  const { code, stderr } = await apply(refused);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/✓ create schema late\n✗ create key link[^]*1 of 2 steps/),
  ]);
  const right = await apply(refused.replace('attribute: email', 'attribute: id'));
  expect([right.code, right.stderr]).toEqual([
    0,
    expect.stringContaining('1 to create, 0 to change, 0 to delete, 1 unchanged'),
  ]);
});

it('refuses what cannot be changed before it changes anything', async () => {
  const { code, stderr } = await apply(FILE.replace('okta-scim-v2', 'azure-scim-v2'));
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('type of the directory acme/shop "Acme" cannot be changed'),
  ]);
});
