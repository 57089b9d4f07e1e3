/** The checks of the fuzzer find faults that a server has on purpose, and none without them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ApiDescription, SecretRecorder } from '@gatehouse/testing';
import { Tenant } from '../live-stack/tenant.js';
import { type WholeStack } from '../live-stack/whole-stack.js';
import { memoryRows, processFaults } from './end-checks.js';
import { FuzzRun } from './fuzz-run.js';
import { type Target } from './targets.js';

const MIB = 2 ** 20;
const PLATFORM_SECRET = 'encryption-key-of-the-platform-0123456789';
const THING = { type: 'object', properties: { owner: { type: 'string' } } };
const DESCRIPTION = new ApiDescription({
  paths: {
    '/things': {
      get: { responses: { 200: { content: { 'application/json': { schema: THING } } } } },
    },
  },
});
const TARGET: Target = {
  service: 'key-service',
  name: 'GET /things',
  queryNames: [],
  bodyNames: [],
  isUsedUp: false,
  isScoped: true,
  isDescribed: true,
  build: ({ marker }) =>
    Promise.resolve({ method: 'GET', path: '/things', query: [], headers: { marker } }),
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

async function faultsOfAnswers(): Promise<string[]> {
  const run = new FuzzRun(stack, tenants, new Map([['key-service', DESCRIPTION]]), 1);
  await run.sendValid(TARGET);
  run.close();
  return run.findings.map(({ fault }) => fault);
}

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

describe('memory', () => {
  /** Two minutes, with the sawtooth of a collector of garbage. */
  const heap = (growth: number) => {
    const samples = Array.from({ length: 120 }, (_, at) => ({
      at,
      value: (100 + (at % 7) + growth * (at / 120)) * MIB,
    }));
    return new Map([['key-service heap', samples]]);
  };

  it('that goes up and down is no finding', () => {
    expect(memoryRows(heap(0)).faults).toEqual([]);
  });

  it('that a leak lets grow is a finding', () => {
    expect(memoryRows(heap(100)).faults).toEqual([expect.stringMatching(/heap grew by \d+ MiB/)]);
  });
});
