/** The gateway of several cells in a real nginx, in front of stand-ins: which cell a request reaches. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IssuedSecretCodec, KeyRing, mintMacaroon } from '@gatehouse/crypto';
import { setCell, uuidv7 } from '@gatehouse/kit/ids';
import { eventually } from '@gatehouse/testing';
import { gatewayCommand } from '#local-stack/gateway.mjs';
import { layoutAt, makeFolders } from '#local-stack/layout.mjs';
import { operationsOf } from './gateway-surfaces.js';
import { provideNjs } from './njs.js';
import { exchange, type Send, sender, type StandIn, startStandIn } from './stand-in.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

const ADMIN = '/v2alpha1/admin';
/** An id that was made elsewhere. */
const FOREIGN = '0a1b2c3d-4e5f-4a6b-8c7d-1e2f3a4b5c6d';
const codec = new IssuedSecretCodec(KeyRing.fromTexts(['an-hmac-secret-of-the-cell-tests-1']));

const idIn = (cell: number) => {
  setCell(cell);
  const id = uuidv7();
  setCell(0);
  return id;
};
const claimsOf = (id: string) => JSON.stringify({ jti: uuidv7(), sub: id, act: { sub: FOREIGN } });
const issued = (cell: number) => codec.issue('gate_sk', idIn(cell));
const jwt = (cell: number) =>
  `eyJh.${Buffer.from(claimsOf(idIn(cell))).toString('base64url')}.c2ln`;
const macaroon = (cell: number) => {
  const identifier = `{"root":"a","claims":${claimsOf(idIn(cell))}}`;
  const content = { location: 'https://é.example.com', identifier, caveats: ['time < 9'] };
  return mintMacaroon(content, Buffer.alloc(32));
};

const folder = mkdtempSync(join(tmpdir(), 'gateway-cells-'));
const layout = layoutAt(join(folder, 'provide'));
const moved = idIn(1);
const standIns: StandIn[] = [];
let settings: Record<string, string>;
let gateway: TestGateway;
let send: Send;
let sendAsAdmin: Send;

beforeAll(async () => {
  makeFolders(layout);
  const map = join(folder, 'cells.map');
  writeFileSync(
    map,
    `tenant:acme 1;\ntenant:b%20c 12;\nhost:one.example 1;\nhost:twelve.example 12;\nid:${moved} 12;\n`,
  );
  settings = { ...(await provideNjs(layout)), CELLS: '1 12', CELLS_MAP: map };
  for (const cell of ['1', '12']) {
    const standIn = await startStandIn(cell);
    standIns.push(standIn);
    for (const name of ['KEY_SERVICE', 'DSYNC_API', 'IDENTITY_FORMS', 'CONSOLE']) {
      settings[`${name}_${cell}`] = `127.0.0.1:${standIn.port}`;
    }
  }
  gateway = await startTestGateway(join(folder, 'run'), settings);
  send = sender(Number(new URL(gateway.url).port));
  sendAsAdmin = sender(Number(new URL(gateway.adminUrl).port));
});
afterAll(async () => {
  await gateway.close();
  for (const { close } of standIns) close();
  rmSync(folder, { recursive: true, force: true });
});

type Request = [path: string, options?: Parameters<Send>[1]];

async function cellOf([path, options]: Request): Promise<string | number | undefined> {
  const { status, body } = await sendAsAdmin(path, options);
  if (status !== 200) return status;
  assert.equal(body.url, path);
  return body.service;
}
const posting = (path: string, body: unknown): Request => [
  path,
  { method: 'POST', body: JSON.stringify(body) },
];

const credentials: [string, (cell: number) => string][] = [
  ['an issued key', issued],
  ['a JWT', jwt],
  ['a macaroon', macaroon],
];
it.each(credentials)('%s in a body leads to the cell in its id', async (_, make) => {
  for (const cell of [1, 12, 1, 12]) {
    for (const operation of ['verify', 'derive']) {
      const path = `${ADMIN}/apiKeys:${operation}?a=b`;
      assert.equal(await cellOf(posting(path, { credential: make(cell) })), String(cell));
    }
    const path = `${ADMIN}/apiKeys:batchVerify`;
    const requests = Array.from({ length: 100 }, () => ({ credential: make(cell) }));
    assert.equal(await cellOf(posting(path, { requests })), String(cell));
    const revoked = await send(
      ...posting('/v2alpha1/apiKeys:selfRevoke', { credential: make(cell) }),
    );
    assert.equal(revoked.body.service, String(cell));
  }
});

it.each(credentials)('%s in a header leads to the cell in its id', async (_, make) => {
  const path = `${ADMIN}/apiKeys:authorize`;
  for (const headers of <Record<string, string>[]>[
    { authorization: `Bearer ${make(12)}` },
    { 'x-api-key': make(12), authorization: `Bearer ${make(1)}` },
  ]) {
    assert.equal(await cellOf([path, { headers }]), '12');
  }
});

it.each([
  ['an id in the path', [`/api/scim/v2.0/${idIn(12)}/Users/${idIn(1)}?filter=a`], '12'],
  ['an id before a verb', [`${ADMIN}/issuedApiKeys/${idIn(12)}:revoke`], '12'],
  ['an id before the query', [`/api/v1/dsync/${idIn(1)}?tenant=other`], '1'],
  ['a header', ['/api/v1/dsync', { headers: { 'x-gatehouse-tenant': 'acme' } }], '1'],
  ['a query', ['/api/v1/dsync?tenant=b%20c&product=d'], '12'],
  ['a host name', ['/portal/a', { headers: { host: 'twelve.example' } }], '12'],
  ['an id that has moved', [`/api/scim/v2.0/${moved}/Users`], '12'],
  ['a tenant more than an id', [`/api/v1/dsync/${idIn(12)}?tenant=acme`], '1'],
  [
    'an id more than a host name',
    [`/api/scim/v2.0/${idIn(1)}`, { headers: { host: 'twelve.example' } }],
    '1',
  ],
  ['an id in capitals', [`/v1/identities/${idIn(12).toUpperCase()}`], '12'],
  [
    'a host name more than a filter of the console',
    ['/console/directories?tenant=acme', { headers: { host: 'twelve.example' } }],
    '12',
  ],
  [
    'a host name more than an id in the console',
    [`/console/directories/${moved}/users`, { headers: { host: 'one.example' } }],
    '1',
  ],
  ['nothing in the id of an actor', [`${ADMIN}/actors/${idIn(1)}`], 421],
  ['nothing in the id of a schema', [`/v1/schemas/${idIn(1)}/decode`], 421],
  ['nothing in a foreign id', [`/api/scim/v2.0/${FOREIGN}`], 421],
  [
    'a host name beside a foreign id',
    [`/api/scim/v2.0/${FOREIGN}`, { headers: { host: 'twelve.example' } }],
    '12',
  ],
  ['nothing in the id of a cell that is elsewhere', [`/api/scim/v2.0/${idIn(7)}`], 421],
  ['nothing in an id of a query', [`/api/v1/dsync?cursor=/${idIn(1)}/`], 421],
] as [string, Request, string | number][])('%s decides', async (_, request, expected) => {
  assert.equal(await cellOf(request), expected);
});

it('a credential without an id follows the tenant, and a body without one gets an answer of a cell', async () => {
  const headers = { 'x-gatehouse-tenant': 'acme' };
  for (const body of [
    '{"credential":"sk_live_1"}',
    '{}',
    'no JSON',
    '[null]',
    '{"requests":[null]}',
    '',
  ]) {
    const path = `${ADMIN}/apiKeys:verify`;
    assert.equal(await cellOf([path, { method: 'POST', body, headers }]), '1', body);
    assert.equal(await cellOf([path, { method: 'POST', body }]), 421, body);
  }
});

it('credentials of several cells in one batch are refused', async () => {
  const requests = [issued(1), issued(12)].map((credential) => ({ credential }));
  const { status, body } = await sendAsAdmin(
    ...posting(`${ADMIN}/apiKeys:batchVerify`, { requests }),
  );
  assert.equal(status, 421);
  assert.match(body.error.message, /credentials belong to several/);
});

it('a batch is read up to the length that the key service takes', async () => {
  const requests = Array.from({ length: 100 }, () => ({ credential: issued(12) }));
  const path = `${ADMIN}/apiKeys:batchVerify`;
  requests.push({ credential: issued(1) });
  assert.equal(await cellOf(posting(path, { requests })), '12');
});

it('a body in chunks that need more memory than a body may is 411, and one in larger chunks is not', async () => {
  const body = JSON.stringify({ credential: issued(12) }) + ' '.repeat(20_000);
  const sendInChunks = (length: number) => {
    const chunks = body.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
    const text = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
    const head = 'Host: x\r\nConnection: close\r\nTransfer-Encoding: chunked';
    const { port } = new URL(gateway.adminUrl);
    const line = `POST ${ADMIN}/apiKeys:verify HTTP/1.1`;
    return exchange(Number(port), `${line}\r\n${head}\r\n\r\n${text}0\r\n\r\n`);
  };
  assert.match(await sendInChunks(1), /^HTTP\/1.1 411 .*"Send the body with a Content-Length."/s);
  assert.match(await sendInChunks(1000), /^HTTP\/1.1 200 .*"service":"12"/s);
});

it('Vary names the headers that decide, because another cell has another JWKS', async () => {
  const path = '/v2alpha1/derivedKeys/jwks.json';
  for (const headers of <Record<string, string>[]>[
    { 'x-gatehouse-tenant': 'acme' },
    { authorization: `Bearer ${issued(1)}` },
    { 'x-api-key': issued(1) },
  ]) {
    const answer = await send(path, { headers: { ...headers, host: 'twelve.example' } });
    assert.equal(answer.body.service, '1');
    const vary = (answer.headers.vary ?? '').toLowerCase().split(', ');
    assert.ok(Object.keys(headers).every((name) => vary.includes(name)));
  }
});

it('the access log has the path of a request with a credential in its body', async () => {
  const path = `${ADMIN}/apiKeys:derive`;
  const headers = { 'x-request-id': 'a-derivation' };
  const body = JSON.stringify({ credential: issued(1) });
  await sendAsAdmin(`${path}?a=b`, { method: 'POST', headers, body });
  const lineOf = () =>
    readFileSync(join(folder, 'run/access.log'), 'utf8')
      .split('\n')
      .find((line) => line.includes('"a-derivation"'));
  await eventually(() => assert.ok(lineOf()?.includes(`"path":"${path}"`), lineOf()));
});

it('every operation that names no cell is 421 in the format of its API', async () => {
  for (const { method, path, prefix } of operationsOf([
    'key-service',
    'dsync-api',
    'identity-forms',
  ])) {
    const { status, body } = await sendAsAdmin(prefix + path, { method });
    assert.deepEqual([status, typeof body], [421, 'object'], path);
    assert.match(JSON.stringify(body), /X-Gatehouse-Tenant/);
  }
  assert.equal((await send('/health')).status, 200);
  assert.equal((await sendAsAdmin('/')).status, 200);
  assert.equal((await send('/nowhere')).status, 404);
});

it('the public surface serves no operation of an administrator, whatever names the cell', async () => {
  for (const path of ['verify', 'batchVerify', 'derive'].map(
    (each) => `${ADMIN}/apiKeys:${each}`,
  )) {
    const body = JSON.stringify({ credential: issued(1) });
    const headers = { 'x-gatehouse-tenant': 'acme' };
    assert.equal((await send(path, { method: 'POST', body, headers })).status, 404);
  }
  assert.equal((await send('/_credential')).status, 404);
  assert.equal((await sendAsAdmin(`${ADMIN}/apiKeys:batchVerify`.toUpperCase())).status, 404);
});

it('a cell that is away is 503 in the format of its API, and the other one serves', async () => {
  const [first] = standIns;
  first?.close();
  const verify = (cell: number) =>
    sendAsAdmin(...posting(`${ADMIN}/apiKeys:verify`, { credential: issued(cell) }));
  const { status, body } = await verify(1);
  assert.deepEqual([status, body.error.status], [503, 'UNAVAILABLE']);
  assert.equal((await verify(12)).body.service, '12');
});

it.each([
  ['CELLS', { CELLS: '1 256' }],
  ['CELLS', { CELLS: 'a' }],
  ['DEFAULT_CELL', { DEFAULT_CELL: '2' }],
  ['CELLS_MAP', { CELLS_MAP: '/missing' }],
  ['NJS_MODULE', { NJS_MODULE: '/missing' }],
  ['KEY_SERVICE_12', { KEY_SERVICE_12: '' }],
])('an invalid %s ends the gateway with its name', (name, wrong) => {
  const { NGINX_PATH: nginx = '' } = settings;
  const command = gatewayCommand(nginx, join(folder, 'wrong'), {
    ...process.env,
    ...settings,
    ...wrong,
  });
  const { status, stderr } = spawnSync('sh', command.args, { env: command.env, encoding: 'utf8' });
  assert.deepEqual([status, stderr.includes(`gateway: ${name} is `)], [78, true], stderr);
});

it('DEFAULT_CELL serves what names no cell', async () => {
  await gateway.close();
  gateway = await startTestGateway(join(folder, 'run'), { ...settings, DEFAULT_CELL: '12' });
  sendAsAdmin = sender(Number(new URL(gateway.adminUrl).port));
  assert.equal(await cellOf(['/v1/schemas']), '12');
  assert.equal(await cellOf(['/api/v1/dsync?tenant=acme']), 503);
});
