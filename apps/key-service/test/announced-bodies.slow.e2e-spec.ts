/** One client that announces bodies, sends a part of each and waits takes no service from the others. */
import { connect } from 'node:net';
import { eventually, type FakeGithubKeys, orClose, startFakeGithubKeys } from '@gatehouse/testing';
import {
  type GuardedApp,
  type GuardedServices,
  openGuardedServices,
  STATIC_KEYS,
} from './guarded-services.js';
import { bearer } from './key-stack.js';

/** The budget of bodies is a sixteenth of the heap. */
const SETTINGS = {
  NODE_OPTIONS: '--max-old-space-size=128',
  SUBMISSIONS_PER_ADDRESS: '0',
  SUBMISSIONS_PER_FLOW: '0',
};
const CONNECTIONS = 80;
const SENT_BYTES = 250_000;
/** More than bodies that are not counted. */
const LARGE_TEXT = 'x'.repeat(20_000);
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let github: FakeGithubKeys;
let guarded: GuardedServices;
let directories: { id: string; secret: string }[];
let flowPath: string;

beforeAll(async () => {
  github = await startFakeGithubKeys();
  const settings = { SECRET_SCANNING_KEYS_URL: github.url };
  guarded = await orClose(github.close, () => openGuardedServices({ ...SETTINGS, ...settings }));
  directories = await Promise.all(['hostile', 'other'].map(newDirectory));
  flowPath = await newFlow();
});
afterAll(async () => {
  await guarded.close();
  await github.close();
});

const as = (app: GuardedApp) => ({ headers: bearer(STATIC_KEYS[app]) });

async function newDirectory(name: string): Promise<{ id: string; secret: string }> {
  const json = { name, tenant: name, product: 'p', type: 'generic-scim-v2' };
  const { http } = guarded.services['dsync-api'];
  const { body } = await http.send('POST', '/api/v1/dsync', { ...as('dsync-api'), json });
  return { id: body.data.id, secret: body.data.scim.secret };
}

async function newFlow(): Promise<string> {
  const { http } = guarded.services['identity-forms'];
  const send = (path: string, json: object) =>
    http.send('POST', path, { ...as('identity-forms'), json });
  const traits = { type: 'object', properties: { name: { type: 'string' } } };
  await send('/v1/schemas', { id: 'member', schema: { type: 'object', properties: { traits } } });
  const { body } = await send('/v1/flows', { kind: 'sign-up', schema_id: 'member' });
  return new URL(body.url as string).pathname;
}

interface Attack {
  readonly app: GuardedApp;
  readonly path: () => string;
  readonly length: number | undefined;
  readonly headers: () => Readonly<Record<string, string>>;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' };
const JSON_TYPE = { 'content-type': 'application/json' };
const PART = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n';

const ATTACKS: Readonly<Record<string, Attack>> = {
  'a tenant, by SCIM': {
    app: 'dsync-api',
    path: () => `/api/scim/v2.0/${directories[0]?.id}/Users`,
    length: 2 * 1024 * 1024,
    headers: () => bearer(directories[0]?.secret ?? ''),
  },
  'a tenant, by SCIM and without a length': {
    app: 'dsync-api',
    path: () => `/api/scim/v2.0/${directories[0]?.id}/Groups`,
    length: undefined,
    headers: () => bearer(directories[0]?.secret ?? ''),
  },
  'anyone, by a notification': {
    app: 'dsync-api',
    path: () => `/api/scim/workspace/notifications/${UNKNOWN}`,
    length: 260_000,
    headers: () => ({}),
  },
  'anyone, by a form': {
    app: 'identity-forms',
    path: () => `/flows/${UNKNOWN}`,
    length: 260_000,
    headers: () => FORM,
  },
  'the person of a flow, by a form of parts': {
    app: 'identity-forms',
    path: () => flowPath,
    length: 1024 * 1024,
    headers: () => MULTIPART,
  },
  'anyone, by a report of leaks': {
    app: 'key-service',
    path: () => '/v2alpha1/apiKeys:reportGithubLeaks',
    length: 4 * 1024 * 1024,
    headers: () => ({ ...JSON_TYPE, ...github.headersFor('') }),
  },
};

/** Begins a request, sends a part of its body and waits. */
function begin({ app, path, length, headers }: Attack) {
  const { hostname, port } = new URL(guarded.services[app].url);
  const socket = connect(Number(port), hostname);
  const seen = { received: '', isClosed: false };
  socket.on('error', () => undefined).on('close', () => (seen.isClosed = true));
  socket.on('data', (chunk) => (seen.received += String(chunk)));
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const fields = Object.entries(headers()).map(([name, value]) => `${name}: ${value}`);
  const head = [`POST ${path()} HTTP/1.1`, 'Host: x', size, ...fields];
  const begun = length === undefined ? `${(SENT_BYTES + 1).toString(16)}\r\n` : '';
  socket.write(`${head.join('\r\n')}\r\n\r\n${begun}${PART.padEnd(SENT_BYTES, 'x')}`);
  return { socket, seen };
}

const statusOf = ({ received }: { received: string }) =>
  Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1]);

/** A large request of somebody else. */
const BYSTANDERS: Readonly<Record<GuardedApp, () => Promise<{ status: number }>>> = {
  'dsync-api': () => {
    const { id, secret } = directories[1] as { id: string; secret: string };
    const json = { userName: `user-${Math.random()}`, title: LARGE_TEXT };
    const { http } = guarded.services['dsync-api'];
    return http.send('POST', `/api/scim/v2.0/${id}/Users`, { headers: bearer(secret), json });
  },
  'identity-forms': () => large('identity-forms', '/v1/identities'),
  'key-service': () => large('key-service', '/v2alpha1/admin/issuedApiKeys'),
};

const large = (app: GuardedApp, path: string) =>
  guarded.services[app].http.send('POST', path, { ...as(app), json: { unknown: LARGE_TEXT } });

it.each(Object.entries(ATTACKS))('%s', async (_, attack) => {
  const bystander = BYSTANDERS[attack.app];
  const { status } = await bystander();
  expect(status).toBeLessThan(500);
  const attempts = Array.from({ length: CONNECTIONS }, () => begin(attack));
  const answered = (wanted: number) => attempts.filter(({ seen }) => statusOf(seen) === wanted);
  // The share is used up.
  await eventually(() => expect(answered(503).length).toBeGreaterThan(0));
  for (let turn = 0; turn < 5; turn++) expect((await bystander()).status).toBe(status);
  await eventually(() => expect(attempts.every(({ seen }) => seen.isClosed)).toBe(true), {
    progress: () => attempts.filter(({ seen }) => seen.isClosed).length,
    timeoutMs: 30_000,
  });
  expect(answered(408).length).toBeGreaterThan(0);
  expect(answered(503).length + answered(408).length).toBe(CONNECTIONS);
});
