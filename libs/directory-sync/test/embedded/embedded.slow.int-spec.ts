/** Directory sync inside of an application: its handlers, its events, its webhooks. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  eventually,
  listenOnLoopback,
  startWebhookReceiver,
  type TestDatabase,
} from '@gatehouse/testing';
import { createEmbeddedSync, type EmbeddedSync } from '../../src/embedded/embedded-sync.js';
import { type EventHandler, type EventTransaction } from '../../src/embedded/event-follower.js';
import { type NodeRequest } from '../../src/embedded/scim-handlers.js';
import { createSyncDatabase, ENCRYPTION_KEYS, EXTERNAL_URL, group, user } from '../harness.js';

let database: TestDatabase;
const opened: EmbeddedSync[] = [];
const problems: string[] = [];
const logger = {
  warn: (_fields: object, message: string) => void problems.push(message),
  error: (_fields: object, message: string) => void problems.push(message),
};

beforeEach(async () => {
  problems.length = 0;
  database = await createSyncDatabase();
  await database.query('CREATE TABLE handled (n bigserial, id uuid, type text)');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sync) => sync.close()));
  await database.drop();
});

async function open(onEvent?: EventHandler): Promise<EmbeddedSync> {
  const sync = await createEmbeddedSync({
    databaseUrl: database.url,
    externalUrl: EXTERNAL_URL,
    encryptionKeys: ENCRYPTION_KEYS,
    outbound: { allowPrivate: true },
    logger,
    onEvent,
  });
  opened.push(sync);
  return sync;
}

async function newDirectory(sync: EmbeddedSync, more = {}) {
  const { data, error } = await sync.directories.create({
    tenant: 'acme',
    product: 'app',
    ...more,
  });
  if (error) throw new Error(error.message);
  const send = (method: string, path: string, body?: object, headers = {}) =>
    sync.handler(
      new Request(`${data.scim.endpoint}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${data.scim.secret}`,
          'content-type': 'application/scim+json',
          ...headers,
        },
        body: body && JSON.stringify(body),
      }),
    );
  return { ...data, send };
}

const insert: EventHandler = ({ id, event }, { query }) =>
  query('INSERT INTO handled (id, type) VALUES ($1, $2)', [id, event]);
const handled = () =>
  database.query<{ id: string; type: string }>('SELECT id, type FROM handled ORDER BY n');
const logged = () =>
  database.query<{ id: string; type: string }>(
    'SELECT id, type FROM dsync.events e WHERE EXISTS (SELECT FROM dsync.directories d WHERE d.id = e.source_id) ORDER BY sequence',
  );

it.each([
  ['databaseUrl', 'databaseUrl must be a postgres:// address'],
  ['externalUrl', 'externalUrl must be an address such as https://app.example.com'],
  ['encryptionKeys', 'a key ring needs a secret'],
])('without %s, says so', async (name, message) => {
  const options = {
    databaseUrl: database.url,
    externalUrl: EXTERNAL_URL,
    encryptionKeys: ENCRYPTION_KEYS,
  };
  await expect(createEmbeddedSync({ ...options, [name]: undefined })).rejects.toThrow(message);
});

describe('events', () => {
  it('wait for one whose handler fails, of which nothing stays, and are then handled in order', async () => {
    let failures = 0;
    const sync = await open(async (event, transaction) => {
      await insert(event, transaction);
      if (event.event === 'group.created' && failures++ === 0) throw new Error('try again');
    });
    const { send } = await newDirectory(sync);
    for (const name of ['ann', 'bob']) await send('POST', '/Users', user(`${name}@example.com`));
    await send('POST', '/Groups', group('staff'));
    await send('POST', '/Users', user('eve@example.com'));
    await eventually(async () => expect(await handled()).toHaveLength(4));
    expect(await handled()).toEqual(await logged());
    expect(failures).toBe(2);
    expect(problems).toEqual(['event not handled; it is tried again in 1000 ms']);
  });

  it('are each handled by one of the processes that share a database and start at once', async () => {
    const [first, second] = await Promise.all([open(insert), open(insert)]);
    const { id, send } = await newDirectory(first);
    const users = Array.from({ length: 40 }, (_, index) => user(`user-${index}@example.com`));
    await Promise.all(users.map((each) => send('POST', '/Users', each)));
    expect((await second.users.inScope({ directoryId: id }).getAll()).data).toHaveLength(40);
    await eventually(async () => expect(await handled()).toHaveLength(40));
    expect(await handled()).toEqual(await logged());
    expect(problems).toEqual([]);
  });

  it('that came before the first process with a handler are not lost', async () => {
    const { send } = await newDirectory(await open());
    await send('POST', '/Users', user('ann@example.com'));
    const sync = await open(insert);
    await sync.catchUp();
    expect(await handled()).toEqual(await logged());
  });

  it('are kept while they wait for the handler, and dropped 30 days later', async () => {
    const { id, send } = await newDirectory(await open(() => Promise.reject(new Error('not yet'))));
    const old = `now() - interval '40 days'`;
    await database.query(`SELECT dsync.create_partitions((${old})::date, (${old})::date)`);
    const insertOld = `INSERT INTO dsync.events (source_id, type, data, created_at)
      VALUES ($1, 'group.created', '{}', ${old}) RETURNING id`;
    const [event] = await database.query<{ id: string }>(insertOld, [id]);
    await eventually(() => expect(problems).not.toEqual([]));
    await open();
    expect(await logged()).toMatchObject([event]);

    await send('POST', '/Users', user('ann@example.com'));
    await (await open(insert)).catchUp();
    await eventually(async () => expect(await handled()).toHaveLength(2));
    await open();
    expect(await logged()).toMatchObject([{ type: 'user.created' }]);
  });

  it('refuse a query that the handler did not wait for', async () => {
    let kept: EventTransaction | undefined;
    const sync = await open((_event, transaction) => (kept = transaction));
    const { send } = await newDirectory(sync);
    await send('POST', '/Users', user('ann@example.com'));
    await sync.catchUp();
    await expect(kept?.query('SELECT 1')).rejects.toThrow('is over');
  });
});

it('webhooks are sent in order by the process itself', async () => {
  const receiver = await startWebhookReceiver();
  const sync = await open();
  const webhook = { webhook_url: receiver.url, webhook_secret: 'a secret of the receiver' };
  const { send } = await newDirectory(sync, webhook);
  const { id } = (await (await send('POST', '/Users', user('ann@example.com'))).json()) as {
    id: string;
  };
  await send('DELETE', `/Users/${id}`);
  const received = await receiver.waitFor(2);
  expect(received.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
    'user.created',
    'user.deleted',
  ]);
  await receiver.close();
});

describe('the handler', () => {
  it('answers as RFC 7644 says, also what it refuses', async () => {
    const { id, send } = await newDirectory(await open());
    const created = await send('POST', '/Users', user('ann@example.com'));
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    const etag = created.headers.get('etag') ?? '';
    const { id: userId } = (await created.json()) as { id: string };
    expect(
      (await send('GET', `/Users/${userId}`, undefined, { 'if-none-match': etag })).status,
    ).toBe(304);
    expect((await send('HEAD', '/Users')).body).toBeNull();
    const found = await send('GET', '/Users?filter=userName%20eq%20%22ann@example.com%22');
    expect(await found.json()).toMatchObject({ totalResults: 1 });
    const text = { 'content-type': 'text/plain' };
    expect((await send('POST', '/Users', user('bob@example.com'), text)).status).toBe(415);
    const stranger = { authorization: 'Bearer wrong' };
    expect((await send('POST', '/Users', user('bob@example.com'), stranger)).status).toBe(401);
    const large = user('bob@example.com', { title: 'x'.repeat(2 * 1024 * 1024) });
    expect((await send('POST', '/Users', large)).status).toBe(413);
    expect((await opened[0]?.handler(new Request('http://localhost/else')))?.status).toBe(404);
    const statuses = await eventually(async () => {
      const logged = await opened[0]?.requestHistory.list(id);
      expect(logged?.data).toHaveLength(7);
      return logged?.data?.map(({ status }) => status).sort();
    });
    expect(statuses).toEqual([200, 200, 201, 304, 401, 413, 415]);
  });

  it('takes what a body parser has left of a Node.js request', async () => {
    const sync = await open();
    const { scim } = await newDirectory(sync);
    const server = createServer((request: NodeRequest, response) => {
      void json(request).then((body) => {
        request.body = body;
        return sync.nodeHandler(request, response);
      });
    });
    const port = await listenOnLoopback(server);
    const answer = await fetch(`http://127.0.0.1:${port}${scim.path}/Users`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${scim.secret}`,
        'content-type': 'application/scim+json',
      },
      body: JSON.stringify(user('ann@example.com')),
    });
    expect(answer.status).toBe(201);
    server.close();
    await once(server, 'close');
  });
});
