/** The queue board of the worker: who sees it, what it shows, and that it changes nothing. */
import { createRequire } from 'node:module';
import { LaneQueue } from '@gatehouse/delivery';
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import {
  eventually,
  HttpClient,
  startService,
  type ServiceProcess,
  tcpProxy,
  type TestStack,
} from '@gatehouse/testing';
import { manage, openSyncStack } from './sync-stack.js';

const KEY = 'board-key-of-the-tests-0123456789';
const OTHER_KEY = 'other-board-key-of-the-tests-0123456789';
const BOARD = '/admin/queues';
const DATA = { system: 'dsync', sourceId: '01983f6e-7c10-7000-8000-2f6d1c7a9b01' };

const basic = (key: string, user = 'anyone') => ({
  authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
});

let stack: TestStack;
let worker: ServiceProcess;
let board: HttpClient;
let exchange: Exchange;
let lanes: LaneQueue;
let jobId: string;

beforeAll(async () => {
  stack = await openSyncStack();
  worker = await stack.start('dsync-worker', { ADMIN_API_KEYS: `${OTHER_KEY},${KEY}` });
  board = new HttpClient(worker.url);
  const logger = createLogger('test', 'silent');
  exchange = redisExchange({ redis: stack.redis, service: 'tests', logger });
  await eventually(() => expect(exchange.queues.isReady).toBe(true));
  lanes = new LaneQueue(exchange.queues, 'dsync', logger);
  // Waits, so that no worker takes it.
  const job = await (await lanes.open()).add('deliver', DATA, { delay: 3_600_000 });
  jobId = job.id as string;
});
afterAll(async () => {
  await exchange.close();
  await stack.close();
});

const read = (path: string) => board.send('GET', BOARD + path, { headers: basic(KEY) });
const filesOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => `/${file}`);

describe('200', () => {
  it('the page and every file that it names, with a key as the password of any user', async () => {
    for (const path of ['', '/', '/queue/delivery-lane']) {
      const page = await read(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.text).toContain(`<base href="${BOARD}/" />`);
      expect(page.text).not.toContain('<%');
    }
    const files = filesOf((await read('')).text);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect([file, (await read(file)).status]).toEqual([file, 200]);
  });

  it.each([
    ['another key', basic(OTHER_KEY)],
    ['no user', basic(KEY, '')],
    ['a user that is not ASCII', basic(KEY, 'zoë')],
    ['a bearer token', { authorization: `Bearer ${KEY}` }],
  ])('with %s', async (_, headers) => {
    expect((await board.send('GET', BOARD, { headers })).status).toBe(200);
  });

  it('lists the jobs of the lanes, which name no person, only a system and a directory', async () => {
    const { body } = await read('/api/queues?activeQueue=delivery-lane&jobsPerPage=1000000');
    expect(body.queues).toMatchObject([
      { name: 'delivery-lane', readOnlyMode: true, counts: { delayed: 1 } },
    ]);
    expect(body.queues[0].jobs).toMatchObject([{ id: jobId, data: DATA }]);
    const job = await read(`/api/queues/delivery-lane/${jobId}`);
    expect(job.body.job.data).toEqual(DATA);
  });

  it('the page may load only what is its own, and is in no frame', async () => {
    const { headers } = await read('');
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

it.each([
  ['a control character', 'status=a%00b'],
  ['an escape that is broken', 'status=%25ED'],
  ['bytes that are no UTF-8', 'status=%ED%A0%80'],
])('400 names a parameter with %s', async (_, parameter) => {
  const { status, text } = await read(`/api/queues?activeQueue=x&page=1&${parameter}`);
  expect(status).toBe(400);
  expect(text).toContain('status');
});

describe('401', () => {
  it('every address without a key asks for one', async () => {
    const files = filesOf((await read('')).text);
    for (const path of ['', '/', '/queue/x', '/api/queues', `/api/queues/x/${jobId}`, ...files]) {
      const { status, headers, text } = await board.send('GET', BOARD + path);
      expect([path, status]).toEqual([path, 401]);
      expect((await board.send('HEAD', BOARD + path)).status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Basic realm="Gatehouse", charset="UTF-8"');
      expect(text).not.toContain('html');
    }
  });

  it.each([
    ['a wrong key', basic(`${KEY}x`)],
    ['an empty password', basic('')],
    ['the key as the user', basic('', KEY)],
    ['no colon', { authorization: `Basic ${Buffer.from(KEY).toString('base64')}` }],
    ['no Base64', { authorization: 'Basic :' }],
    ['another scheme', { authorization: `Api-Key ${KEY}` }],
  ])('with %s', async (_, headers) => {
    expect((await board.send('GET', BOARD, { headers })).status).toBe(401);
  });

  it('a sample of the refused calls is in the audit log of directory sync', async () => {
    const api = await stack.start('dsync-api');
    await board.send('GET', `${BOARD}/api/queues`, { headers: basic('a-wrong-key') });
    await eventually(async () => {
      const { body } = await manage(api, 'GET', '/audit-events?type=admin.denied');
      expect(body.data[0]).toMatchObject({ caller: '', ip: '127.0.0.1' });
      expect(body.data[0].details.route).toContain(BOARD);
    });
  });
});

it('404 or 405: nothing that Bull Board can change is there to be called', async () => {
  const { appRoutes } = createRequire(import.meta.url)('@bull-board/api/dist/routes.js') as {
    appRoutes: { api: { method: string | string[]; route: string | string[] }[] };
  };
  const changes = appRoutes.api.filter(({ method }) => method !== 'get');
  expect(changes.length).toBeGreaterThan(15);
  for (const { method, route } of changes) {
    const path = [route]
      .flat()[0]!
      .replace(':queueName', 'delivery-lane')
      .replace(':jobId', jobId)
      .replace(':queueStatus', 'delayed')
      .replace(':schedulerId', 'x');
    for (const verb of [method].flat()) {
      const answer = await board.send(verb.toUpperCase(), BOARD + path, {
        headers: basic(KEY),
        json: {},
      });
      expect([path, [404, 405].includes(answer.status)]).toEqual([path, true]);
      if (answer.status === 405) expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
  }
  const job = await (await lanes.open()).getJob(jobId);
  expect([await job?.getState(), job?.data]).toEqual(['delayed', DATA]);
  expect(await (await lanes.open()).isPaused()).toBe(false);
});

it('404: a job or a queue that does not exist', async () => {
  expect((await read('/api/queues/delivery-lane/unknown')).status).toBe(404);
  expect((await read('/api/queues/unknown/1')).status).toBe(404);
  expect((await read('/static/unknown.js')).status).toBe(404);
  expect((await read('/static/..%2f..%2fpackage.json')).status).not.toBe(200);
});

it('404: there is no board without a key, and the log says how to open it', async () => {
  const closed = await stack.start('dsync-worker');
  for (const path of ['', '/api/queues', '/static/favicon.ico']) {
    const { status } = await new HttpClient(closed.url).send('GET', BOARD + path, {
      headers: basic(KEY),
    });
    expect([path, status]).toEqual([path, 404]);
  }
  expect(closed.logs()).toContain('ADMIN_API_KEYS opens it');
  await closed.stop();
});

it('503: while Redis is away, also if it was away when the board was first opened', async () => {
  const proxy = await tcpProxy(stack.redis.url);
  const settings = { REDIS_URL: proxy.url, ADMIN_API_KEYS: KEY };
  const cutOff = await stack.start('dsync-worker', settings);
  const get = (path: string) =>
    new HttpClient(cutOff.url).send('GET', BOARD + path, { headers: basic(KEY) });
  try {
    for (let round = 0; round < 2; round += 1) {
      await proxy.cut();
      await eventually(async () => expect((await get('/api/queues')).status).toBe(503));
      expect((await get('/api/queues')).headers.get('retry-after')).toBe('1');
      expect((await get('')).status).toBe(200);
      await proxy.mend();
      await eventually(async () => expect((await get('/api/queues')).status).toBe(200));
    }
  } finally {
    await cutOff.stop();
    await proxy.close();
  }
});

it('a key that is too short is refused at the start', async () => {
  await expect(
    startService('dsync-worker', {
      DATABASE_URL: stack.database.serviceUrl,
      REDIS_URL: stack.redis.url,
      ENCRYPTION_KEYS: 'encryption-key-of-the-tests-0123456789',
      ADMIN_API_KEYS: 'short',
    }),
  ).rejects.toThrow('ADMIN_API_KEYS');
});
