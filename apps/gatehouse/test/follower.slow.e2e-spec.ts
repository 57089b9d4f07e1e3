/** A follower of directories at a gate: what its handlers see, and when. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import {
  directory,
  type DirectoryEvent,
  type DirectoryFollower,
  type DirectoryOptions,
  HandlerError,
} from '@gatehouse/client/directory';
import { fileStore } from '@gatehouse/client/file-store';
import { postgresStore } from '@gatehouse/client/postgres-store';
import { createTestDatabase, eventually, type TestDatabase } from '@gatehouse/testing';
import pg from 'pg';
import { ADMIN_KEY, openSmall, type SmallGate } from './gate.js';

const SECRET = 'whsec_c2VjcmV0LW9mLXR3ZW50eS1ieXRlcw';

let database: TestDatabase;
let gate: SmallGate;
let pool: pg.Pool;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openSmall(database);
  pool = new pg.Pool({ connectionString: database.url });
  await pool.query('CREATE TABLE ledger (n bigserial, follower text, event json)');
  folder = mkdtempSync(join(tmpdir(), 'follower-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await pool.end();
  await gate.close();
  await database.drop();
});

let products = 0;
let product: string;
let directoryId: string;
/** The identity provider of the directory. */
let provider: Gatehouse['scim'];
beforeEach(async () => {
  product = `product-${(products += 1)}`;
  [directoryId, provider] = await newDirectory();
});

async function newDirectory(webhook = {}): Promise<[string, Gatehouse['scim']]> {
  const url = gate.process.adminUrl;
  const { id = '', scim } = await createGatehouse({ url, key: ADMIN_KEY }).directories.create({
    tenant: 'acme',
    product,
    ...webhook,
  });
  return [id, createGatehouse({ url, key: scim?.secret }).scim];
}

const newUser = async (userName: string) =>
  (await provider.users.create({ directoryId, userName, name: { givenName: userName } })).id ?? '';

const newGroup = async (displayName: string, ...members: string[]) =>
  (
    await provider.groups.create({
      directoryId,
      displayName,
      members: members.map((value) => ({ value })),
    })
  ).id ?? '';

type Settings = Partial<DirectoryOptions<pg.PoolClient>>;

/** Writes each event into the ledger, through the transaction of the store. */
function ledger(name: string, settings: Settings = {}): DirectoryFollower<pg.PoolClient> {
  return follower(name, settings).on('*', (event, sql) => record(name, event, sql));
}

function follower(name: string, settings: Settings = {}): DirectoryFollower<pg.PoolClient> {
  return directory({
    url: gate.process.adminUrl,
    key: ADMIN_KEY,
    store: postgresStore(pool),
    product,
    name: `${product} ${name}`,
    ...settings,
  });
}

const record = (name: string, event: DirectoryEvent, sql: pg.PoolClient) =>
  sql.query('INSERT INTO ledger (follower, event) VALUES ($1, $2)', [`${product} ${name}`, event]);

async function recorded(name: string): Promise<DirectoryEvent[]> {
  const select = 'SELECT event FROM ledger WHERE follower = $1 ORDER BY n';
  const { rows } = await pool.query<{ event: DirectoryEvent }>(select, [`${product} ${name}`]);
  return rows.map(({ event }) => event);
}

const summaryOf = ({ event, data }: DirectoryEvent) =>
  `${event} ${'first_name' in data ? data.first_name : data.name}`;
const summaries = async (name: string) => (await recorded(name)).map(summaryOf);

it('handles each event of the log once and in order, and goes on where it ended', async () => {
  const ada = await newUser('ada');
  await newGroup('crew', ada);
  const first = ledger('all', { from: 'log' });
  expect([await first.catchUp(), await first.catchUp()]).toEqual([true, false]);
  await provider.users.delete({ directoryId, id: ada });
  await ledger('all', { from: 'log' }).catchUp();
  expect(await summaries('all')).toEqual([
    'user.created ada',
    'group.created crew',
    'group.user_added ada',
    'group.user_removed ada',
    'user.deleted ada',
  ]);
});

it('begins with a snapshot, whose events are those of the log', async () => {
  await newGroup('crew', await newUser('ada'), await newUser('bob'));
  await newGroup('empty');
  await ledger('log', { from: 'log' }).catchUp();
  const begun: string[] = [];
  const snapshot = ledger('snapshot').onSnapshot((sql) => begun.push(typeof sql.query));
  await snapshot.catchUp();
  await newUser('eve');
  await snapshot.catchUp();

  const [events, logged] = [await recorded('snapshot'), await recorded('log')];
  expect(begun).toEqual(['function']);
  expect(events.pop()).toMatchObject({ event: 'user.created', data: { first_name: 'eve' } });
  const parts = (each: DirectoryEvent[]) =>
    each.map(partsOf).sort((one, other) => one.key.localeCompare(other.key));
  expect(parts(events)).toEqual(parts(logged));
  expect(new Set(events.map((event) => event.snapshot))).toEqual(new Set([true]));
});

/** What a snapshot has in common with the log. */
function partsOf({ event, data, directory_id, tenant, product: of }: DirectoryEvent) {
  return { key: `${event} ${data.id}`, data, directory_id, tenant, of };
}

it('calls the handlers whose pattern matches, in the order in which they were added', async () => {
  await newGroup('crew', await newUser('ada'));
  const called: string[] = [];
  const note = (pattern: string) => (event: DirectoryEvent) =>
    void called.push(`${pattern}: ${summaryOf(event)}`);
  await follower('patterns', { from: 'log' })
    .on('group.*', note('group.*'))
    .on('*', note('*'))
    .on('user.created', note('user.created'))
    .on('user.deleted', note('user.deleted'))
    .catchUp();
  expect(called).toEqual([
    '*: user.created ada',
    'user.created: user.created ada',
    'group.*: group.created crew',
    '*: group.created crew',
    'group.*: group.user_added ada',
    '*: group.user_added ada',
  ]);
});

it('keeps what was handled before a handler that fails, and lets later events wait', async () => {
  for (const name of ['ada', 'bob', 'eve']) await newUser(name);
  const failing = ledger('failing', { from: 'log' }).on('user.*', ({ data }) => {
    if (data.first_name === 'bob') throw new Error('no room');
  });
  const error: unknown = await failing.catchUp().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HandlerError);
  expect(error).toMatchObject({
    message: expect.stringMatching(/handler of user\.created failed for event .*: no room$/),
    cause: { message: 'no room' },
  });
  expect(await summaries('failing')).toEqual(['user.created ada']);
  await ledger('failing').catchUp();
  expect(await summaries('failing')).toEqual(['ada', 'bob', 'eve'].map((n) => `user.created ${n}`));
  expect(error).toHaveProperty('eventId', (await recorded('failing'))[1]?.id);
});

it('shares the work among processes: each event is handled by one of them', async () => {
  const options = { from: 'log', pollMs: 20 };
  const stop = new AbortController();
  const errors: unknown[] = [];
  const both = [1, 2].map(() =>
    ledger('shared', options).start({
      signal: stop.signal,
      onError: (error) => errors.push(error),
    }),
  );
  const names = Array.from({ length: 15 }, (_, number) => `user-${number}`);
  for (const name of names) await newUser(name);
  await eventually(async () => expect(await recorded('shared')).toHaveLength(names.length));
  stop.abort();
  await Promise.all(both);
  expect(await summaries('shared')).toEqual(names.map((name) => `user.created ${name}`));
  expect(errors).toEqual([]);
});

it('begins with the next event, or behind an event with a known id', async () => {
  await newUser('ada');
  await newUser('bob');
  await ledger('ids', { from: 'log' }).catchUp();
  const [ada] = await recorded('ids');
  const now = ledger('now', { from: 'now' });
  await now.catchUp();
  await newUser('eve');
  await now.catchUp();
  await ledger('behind', { from: ada?.id ?? '', directoryId }).catchUp();
  expect(await summaries('now')).toEqual(['user.created eve']);
  expect(await summaries('behind')).toEqual(['user.created bob', 'user.created eve']);
});

it('takes a new snapshot when its last event is gone, or goes on with the rest', async () => {
  const kept = [directoryId, provider] as const;
  await newUser('ada');
  [directoryId, provider] = await newDirectory();
  await newUser('bob');
  for (const from of ['log', 'snapshot']) await ledger(from, { from }).catchUp();
  const { adminUrl: url } = gate.process;
  await createGatehouse({ url, key: ADMIN_KEY }).directories.delete({ id: directoryId });
  [directoryId, provider] = kept;
  await newUser('eve');
  for (const from of ['log', 'snapshot']) await ledger(from, { from }).catchUp();
  const [ada, bob, eve] = ['user.created ada', 'user.created bob', 'user.created eve'];
  expect(await summaries('log')).toEqual([ada, bob, eve]);
  const snapshots = await summaries('snapshot');
  expect([snapshots.slice(0, 2).sort(), snapshots.slice(2).sort()]).toEqual([
    [ada, bob],
    [ada, eve],
  ]);
});

it('is woken by a webhook, and refuses one that is not signed', async () => {
  let reads = 0;
  const follows = ledger('woken', {
    from: 'now',
    secrets: SECRET,
    pollMs: 3_600_000,
    fetch: (...request) => fetch(...request).finally(() => (reads += 1)),
  });
  const answered: number[] = [];
  const server = createServer((request, response) => {
    void follows.receive({ headers: request.headers, body: request }).then(async (answer) => {
      answered.push(answer.status);
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [directoryId, provider] = await newDirectory({ webhook_url, webhook_secret: SECRET });
  await follows.catchUp();
  const readsBefore = reads;
  const stop = new AbortController();
  const errors: unknown[] = [];
  const ended = follows.start({ signal: stop.signal, onError: (error) => errors.push(error) });
  await eventually(() => expect(reads).toBeGreaterThan(readsBefore));
  await newUser('ada');
  await eventually(async () => expect(await summaries('woken')).toEqual(['user.created ada']));
  expect([new Set(answered), errors]).toEqual([new Set([204]), []]);
  expect((await fetch(webhook_url, { method: 'POST', body: '{}' })).status).toBe(401);
  stop.abort();
  await ended;
  await new Promise((resolve) => server.close(resolve));
});

it('reports an error and tries again until it succeeds', async () => {
  await newUser('ada');
  const errors: unknown[] = [];
  const stop = new AbortController();
  let isReachable = false;
  const store = postgresStore(pool);
  const follows = ledger('again', {
    from: 'log',
    store,
    fetch: (...request) =>
      isReachable ? fetch(...request) : Promise.reject(new Error('no route')),
  }).on('user.*', () => stop.abort());
  await follows.start({
    signal: stop.signal,
    onError: (error) => {
      errors.push(error);
      isReachable = true;
    },
  });
  expect(errors).toMatchObject([{ status: 503, message: expect.stringContaining('no route') }]);
  expect(await summaries('again')).toEqual(['user.created ada']);
});

it('keeps its position in a file', async () => {
  const seen: string[] = [];
  const path = join(folder, 'position.json');
  const follows = (name = 'filed') =>
    directory({
      url: gate.process.adminUrl,
      key: ADMIN_KEY,
      store: fileStore(path),
      product,
      tenant: 'acme',
      name,
      from: 'log',
    }).on('user.created', ({ data }) => void seen.push(data.first_name));
  await newUser('ada');
  await newUser('bob');
  await follows().catchUp();
  await newUser('eve');
  await follows().catchUp();
  expect(seen).toEqual(['ada', 'bob', 'eve']);
  await expect(follows('another').catchUp()).rejects.toThrow('the file of follower filed');
});
