/** The checks of the fuzzer find faults that a server has on purpose, and none without them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ApiDescription, SecretRecorder } from '@gatehouse/testing';
import { Tenant } from '../live-stack/tenant.js';
import { type WholeStack } from '../live-stack/whole-stack.js';
import { processFaults } from '../live-stack/process-check.js';
import { FuzzRun } from './fuzz-run.js';
import { type Operation } from './operation.js';

const PLATFORM_SECRET = 'encryption-key-of-the-platform-0123456789';
const THING = { type: 'object', properties: { owner: { type: 'string' } } };
const DESCRIPTION = new ApiDescription({
  paths: {
    '/things': {
      get: { responses: { 200: { content: { 'application/json': { schema: THING } } } } },
    },
  },
});
const OPERATION: Operation = {
  service: 'key-service',
  name: 'GET /things',
  query: { page: { type: 'integer' } },
  headers: {},
  needsBody: false,
  schemas: {},
  isUsedUp: false,
  isScoped: true,
  hasExample: true,
  draftOf: ({ marker }) =>
    Promise.resolve({ method: 'GET', path: '/things', query: {}, headers: { marker } }),
};

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

let serve: Serve;
let printed: string;
let tenants: [Tenant, Tenant];
let stack: WholeStack;
const server = createServer((request, response) => serve(request, response));

const answer =
  (status: number, body: (marker: string) => object): Serve =>
  ({ headers }, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body(String(headers.marker))));
const rightly = answer(200, (marker) => ({ owner: marker }));

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));

beforeEach(() => {
  serve = rightly;
  printed = '{"level":"info"}';
  const secrets = new SecretRecorder();
  secrets.add(PLATFORM_SECRET);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = { exitCode: null, signalCode: null };
  const services = { 'key-service': { url, process: child, logs: () => printed } };
  stack = { services, secrets } as unknown as WholeStack;
  tenants = [tenantNamed('kestrel'), tenantNamed('ostrich')];
});

function tenantNamed(name: string): Tenant {
  const tenant = new Tenant(stack, name);
  const secret = `secret-of-${tenant.marker}`;
  tenant.directory = tenant.managed = { id: name, secret };
  tenant.key = tenant.imported = { id: name, secret };
  tenant.flow = { id: name, address: '', cookie: `a=${secret}`, token: secret };
  return tenant;
}

const newRun = () => new FuzzRun(stack, tenants, new Map([['key-service', DESCRIPTION]]));

async function faultsOfAnswers(): Promise<string[]> {
  const run = newRun();
  await run.sendExample(OPERATION);
  return run.findings.map(({ fault }) => fault);
}

it('a fault that only a changed request meets is found and shrunk, again by its seed', async () => {
  serve = (request, response) =>
    (request.url?.includes('page=') ? answer(500, () => ({})) : rightly)(request, response);
  const find = async () => {
    const run = newRun();
    for (let seed = 0; seed < 5; seed += 1) {
      await run.sendChanged(OPERATION, 0, seed);
    }
    return run.findings.map(({ seed, fault, curl }) => [seed, fault, curl]);
  };
  const found = await find();
  expect(found).toEqual([
    [expect.any(Number), expect.stringMatching(/^500: /), expect.any(String)],
  ]);
  expect(found[0]?.[2]).toMatch(/things\?page=[^&]*'/);
  expect(await find()).toEqual(found);
});

describe('an answer', () => {
  it('that is right is no finding', async () => {
    expect(await faultsOfAnswers()).toEqual([]);
  });

  it.each<[string, () => Serve, RegExp]>([
    ['of 500', () => answer(500, () => ({})), /^500: /],
    [
      'with a credential of the other tenant',
      () => answer(200, () => ({ owner: tenants[1].key.secret })),
      /another tenant's data/,
    ],
    [
      'with data of the other tenant',
      () => answer(200, () => ({ owner: tenants[1].marker })),
      /another tenant's data/,
    ],
    [
      'with a secret of the service in a header',
      () => (request, response) => {
        response.setHeader('x-debug', PLATFORM_SECRET);
        rightly(request, response);
      },
      /a secret of the service/,
    ],
    ['with a status that is not described', () => answer(418, () => ({})), /418 is not described/],
    ['with a member that is not described', () => answer(200, () => ({ a: 1 })), /additional/],
    ['that refuses the valid request', () => answer(404, () => ({})), /404/],
    ['that never comes', () => (request) => void request.socket.destroy(), /^no answer/],
  ])('%s is a finding', async (_, faulty, fault) => {
    serve = faulty();
    expect(await faultsOfAnswers()).toContainEqual(expect.stringMatching(fault));
  });
});

describe('a process', () => {
  const found = () => processFaults(stack, new SecretRecorder());

  it('that serves and has logged nothing wrong is no finding', async () => {
    expect(await found()).toEqual([]);
  });

  it('that has ended, is not ready, or logs an error or a secret is a finding', async () => {
    serve = answer(503, () => ({}));
    printed = `{"level":"error"}\n${PLATFORM_SECRET}`;
    expect(await found()).toEqual([
      expect.stringContaining('is not ready: 503'),
      expect.stringContaining('contains 1 secrets'),
      expect.stringContaining('logged 1 errors'),
    ]);
    Object.assign(stack.services['key-service'].process, { exitCode: 137 });
    expect(await found()).toEqual(['key-service has ended with 137']);
  });
});
