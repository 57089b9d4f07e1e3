/** Two cells behind one gateway: requests find their cell, and a cell whose stores end takes no other with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Answer,
  eventually,
  HttpClient,
  type Json,
  type RequestOptions,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { cellOf, setCell } from '@gatehouse/kit/ids';
import { layoutAt, makeFolders } from '#local-stack/layout.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { main as runImport } from '../../../libs/import/src/main.js';
import { provideNjs } from '../../../deploy/test/njs.js';
import { sender } from '../../../deploy/test/stand-in.js';
import { startTestGateway, type TestGateway } from '../../../deploy/test/test-gateway.js';
import { ownPostgres, ownRedis, type OwnStore } from '../../dsync-e2e/test/faults/own-stores.js';
import { ADMIN_KEY, type Gate, openSmall, type SmallGate } from './gate.js';
import { Administrator, type Provider } from './visitor.js';

const ADMIN = '/v2alpha1/admin';
const JWKS = '/v2alpha1/derivedKeys/jwks.json';
const ROUNDS = 10;
/** A wait for a store takes a hundred times as long as an answer. */
const SLOWER_MAX = 10;

/** Sends requests in the name of a tenant. */
class TenantClient extends HttpClient {
  constructor(
    url: string,
    private readonly tenant: string,
  ) {
    super(url);
  }

  override send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const headers = { 'x-gatehouse-tenant': this.tenant, ...options.headers };
    return super.send(method, path, { ...options, headers });
  }
}

interface Cell {
  number: number;
  host: string;
  postgres: OwnStore;
  redis: OwnStore;
  stack: SmallGate;
}

/** What a tenant has in its cell. */
interface Tenant {
  cell: Cell;
  gate: Gate;
  administrator: Administrator;
  key: { id: string; secret: string };
  /** A key of which the time of its last use does not change. */
  unused: { id: string };
  token: string;
  provider: Provider;
  hook: string;
  userId: string;
}

const folder = mkdtempSync(join(tmpdir(), 'cells-'));
const layout = layoutAt(join(folder, 'provide'));
const map = join(folder, 'cells.map');
const cells: Cell[] = [];
let receiver: WebhookReceiver;
let gateway: TestGateway;
/** Names no tenant. */
let operator: HttpClient;
let first: Tenant;
let second: Tenant;

beforeAll(async () => {
  makeFolders(layout);
  const njs = await provideNjs(layout);
  receiver = await startWebhookReceiver();
  for (const number of [1, 2]) cells.push(await openCell(number));
  writeFileSync(map, cells.map(({ number }) => linesOf(number, number)).join(''));
  const addresses = cells.flatMap(({ number, stack }) => {
    const { host } = new URL(stack.adminSurface.url);
    return ['KEY_SERVICE', 'DSYNC_API', 'IDENTITY_FORMS', 'CONSOLE'].map((name) => [
      `${name}_${number}`,
      host,
    ]);
  });
  gateway = await startTestGateway(join(folder, 'run'), {
    ...njs,
    ...Object.fromEntries(addresses),
    CELLS: '1 2',
    CELLS_MAP: map,
  });
  operator = new HttpClient(gateway.adminUrl);
  [first, second] = (await Promise.all(cells.map(openTenant))) as [Tenant, Tenant];
});
afterAll(async () => {
  await gateway?.close();
  for (const { stack, postgres, redis } of cells) {
    await stack.close();
    await postgres.remove();
    await redis.remove();
  }
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const hostOf = (cell: number) => `cell-${cell}.example.com`;
const secretOf = (cell: number) => `a-gatehouse-secret-of-cell-${cell}-0123456789`;
const linesOf = (tenant: number, cell: number) =>
  `tenant:tenant-${tenant} ${cell};\nhost:${hostOf(tenant)} ${tenant};\n`;

async function openCell(number: number): Promise<Cell> {
  const [postgres, redis] = [await ownPostgres(), await ownRedis()];
  const host = hostOf(number);
  const stack = await openSmall(postgres, {
    CELL: String(number),
    GATEHOUSE_SECRET: secretOf(number),
    EXTERNAL_URL: `https://${host}`,
    REDIS_URL: redis.url,
    CLIENT_IP_SOURCE: 'x-real-ip',
    TRUSTED_PROXIES: '127.0.0.1/32',
  });
  return { number, host, postgres, redis, stack };
}

async function openTenant(cell: Cell): Promise<Tenant> {
  const name = `tenant-${cell.number}`;
  const gate = {
    ...cell.stack,
    publicSurface: new TenantClient(gateway.url, name),
    adminSurface: new TenantClient(gateway.adminUrl, name),
  };
  const administrator = new Administrator(gate);
  const key = await administrator.issue();
  const hook = `/${name}`;
  const provider = await administrator.newDirectory(receiver.url + hook, name);
  await administrator.newSchema('visitor');
  return {
    cell,
    gate,
    administrator,
    key,
    unused: await administrator.issue(),
    token: await administrator.derive(key.secret),
    provider,
    hook,
    userId: await provider.createUser('ada@example.com'),
  };
}

type Named = [request: string, status: number, body: Json];

/** Answers to requests that find the cell by an id, a credential, a tenant or a host name. */
async function answersFor({
  cell,
  gate,
  key,
  unused,
  token,
  provider,
  userId,
}: Tenant): Promise<Named[]> {
  const read = async (client: HttpClient, path: string, secret = ADMIN_KEY): Promise<Named> => {
    const headers = { authorization: `Bearer ${secret}` };
    const { status, body } = await client.send('GET', path, { headers });
    return [path, status, body];
  };
  const verify = async (operation: string, json: object): Promise<Named> => {
    const path = `${ADMIN}/apiKeys:${operation}`;
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'cache-control': 'no-store' };
    const { status, body } = await operator.send('POST', path, { headers, json });
    return [path, status, body];
  };
  const credentials = [{ credential: key.secret }, { credential: token }] as const;
  const outside = new HttpClient(gateway.url);
  const { path, secret } = provider.scim;
  const byHost = sender(Number(new URL(gateway.url).port));
  const jwks = await byHost(JWKS, { headers: { host: cell.host } });
  return [
    await verify('verify', credentials[0]),
    await verify('verify', credentials[1]),
    await verify('batchVerify', { requests: credentials }),
    [JWKS, jwks.status ?? 0, jwks.body],
    await read(operator, `${ADMIN}/issuedApiKeys/${unused.id}`),
    await read(operator, `/api/v1/dsync/${path.split('/').at(-1)}`),
    await read(gate.adminSurface, '/v1/schemas/visitor'),
    await read(outside, `${path}/Users/${userId}`, secret),
    await read(outside, `${path}/Users?filter=${encodeURIComponent('userName sw "ada"')}`, secret),
  ];
}

/** Asks for answers of the second cell again and again while the first one has as many requests. */
async function observe(): Promise<{ first: Named[][]; second: Named[][]; medianMs: number }> {
  const times: number[] = [];
  const rounds = async (tenant: Tenant) => {
    const answers: Named[][] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      const startedMs = performance.now();
      answers.push(await answersFor(tenant));
      if (tenant === second) times.push(performance.now() - startedMs);
    }
    return answers;
  };
  const [ofFirst, ofSecond] = await Promise.all([rounds(first), rounds(second)]);
  const medianMs = times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
  return { first: ofFirst, second: ofSecond, medianMs };
}

const eventsAt = (hook: string) =>
  receiver.received.filter(({ path }) => path === hook).map(({ body }) => JSON.parse(body).data.id);

/** Creates a user in the directory of a tenant, and waits until its application has heard of it. */
async function provision({ provider, hook }: Tenant, userName: string): Promise<void> {
  const id = await provider.createUser(userName);
  await eventually(() => expect(eventsAt(hook)).toContain(id));
}

it('ids name the cell that made them, and every request reaches its cell', async () => {
  for (const tenant of [first, second]) {
    const { cell, key, userId, provider } = tenant;
    const ids = [key.id, userId, provider.scim.path.split('/').at(-1) ?? ''];
    expect(ids.map(cellOf)).toEqual(ids.map(() => cell.number));
    const answers = await answersFor(tenant);
    expect(answers.map(([, status]) => status)).toEqual(answers.map(() => 200));
    const [[, , verified], [, , derived], [, , batch]] = answers as [Named, Named, Named];
    for (const each of [verified, derived, ...batch.results]) {
      expect(each).toMatchObject({ is_valid: true, key_id: key.id });
    }
    await provision(tenant, 'grace@example.com');
  }
  const [ofFirst, ofSecond] = [await answersFor(first), await answersFor(second)];
  for (const [index, [request, , body]] of ofFirst.entries()) {
    expect([request, body]).not.toEqual([request, ofSecond[index]?.[2]]);
  }
});

it('a cell whose stores end by SIGKILL changes no answer of the other one, and comes back', async () => {
  const before = await observe();
  const [ofFirst, ofSecond] = [before.first[0] ?? [], before.second[0] ?? []];
  for (const answers of before.first) expect(answers).toEqual(ofFirst);

  const { postgres, redis } = first.cell;
  await Promise.all([postgres.kill(), redis.kill()]);
  const without = await observe();
  for (const answers of [...before.second, ...without.second]) expect(answers).toEqual(ofSecond);
  expect(without.medianMs / before.medianMs).toBeLessThan(SLOWER_MAX);
  await provision(second, 'joan@example.com');

  for (const [verified, derived, batch, jwks, ...others] of without.first) {
    for (const [, status, body] of [verified, derived, batch] as [Named, Named, Named]) {
      expect(status).toBe(200);
      for (const each of body.results ?? [body]) {
        expect(each).toMatchObject({ error_code: 'VERIFICATION_ERROR_INTERNAL' });
      }
    }
    expect(jwks).toEqual(ofFirst[3]);
    expect(others.map(([, status]) => status)).toEqual(others.map(() => 503));
    expect(others.map(([, , body]) => body)).toEqual([
      { error: expect.objectContaining({ status: 'UNAVAILABLE', message: 'Try again later.' }) },
      { data: null, error: { message: 'Try again later.', code: 503 } },
      expect.objectContaining({ title: 'Service Unavailable', status: 503 }),
      ...[1, 2].map(() =>
        expect.objectContaining({ detail: 'The service is not available at the moment.' }),
      ),
    ]);
  }

  await Promise.all([postgres.restart(), redis.restart()]);
  await eventually(async () => expect(await answersFor(first)).toEqual(ofFirst));
  expect(await answersFor(second)).toEqual(ofSecond);
  for (const tenant of [first, second]) await provision(tenant, 'katherine@example.com');
});

it('the directories of a tenant move to another cell with their ids and secrets, and its keys stay', async () => {
  const { provider, userId, key, hook } = first;
  const id = provider.scim.path.split('/').at(-1) ?? '';
  Object.assign(process.env, {
    CELL: '2',
    DATABASE_URL: second.cell.postgres.url,
    GATEHOUSE_SECRET: secretOf(2),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    POLIS_URL: first.cell.stack.adminSurface.url,
    POLIS_API_KEY: ADMIN_KEY,
  });
  let printed = '';
  const runs = (...args: string[]) =>
    runImport(['polis', ...args], new Progress({ write: (text) => (printed += text) }));
  try {
    const chosen = ['--product', 'shop', '--tenant', 'tenant-1', '--apply'];
    const exitCode = await runs(...chosen);
    expect([exitCode, printed]).toEqual([0, expect.stringMatching(/imported +\+3 /)]);
    const late = await provider.createUser('annie@example.com');
    writeFileSync(map, `${linesOf(1, 2)}${linesOf(2, 2)}id:${id} 2;\n`);
    process.kill(gateway.pid, 'SIGHUP');
    const path = `/api/v1/dsync/${id}`;
    await eventually(async () => {
      const { body } = await operator.send('GET', path, {
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
      });
      expect(body.data.scim.endpoint).toContain(second.cell.host);
    });
    expect(await runs(...chosen, '--delta')).toBe(0);
    expect(await runs('--activate')).toBe(0);
    await provider.deactivate(late);
  } finally {
    setCell(0);
  }
  const moved = await provider.createUser('mary@example.com');
  expect(cellOf(moved)).toBe(2);
  await provider.deactivate(userId);
  await eventually(() => expect(eventsAt(hook).slice(-2)).toEqual([moved, userId]));
  const { body } = await operator.send('POST', `${ADMIN}/apiKeys:verify`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    json: { credential: key.secret },
  });
  expect(body).toMatchObject({ is_valid: true, key_id: key.id });
});
