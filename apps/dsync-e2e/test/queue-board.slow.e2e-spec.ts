import { LaneQueue } from '@gatehouse/delivery';
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { eventually, launchBrowser, type ServiceProcess, type TestStack } from '@gatehouse/testing';
import { openSyncStack } from './sync-stack.js';

const KEY = 'board-key-of-the-tests-0123456789';
const BOARD = '/admin/queues';
const DATA = { system: 'dsync', sourceId: '01983f6e-7c10-7000-8000-2f6d1c7a9b01' };

let stack: TestStack;
let worker: ServiceProcess;
let exchange: Exchange;
let lanes: LaneQueue;

beforeAll(async () => {
  stack = await openSyncStack();
  worker = await stack.start('dsync-worker', { ADMIN_API_KEYS: KEY });
  const logger = createLogger('test', 'silent');
  exchange = redisExchange({ redis: stack.redis, service: 'tests', logger });
  await eventually(() => expect(exchange.queues.isReady).toBe(true));
  lanes = new LaneQueue(exchange.queues, 'dsync', logger);
  // Waits, so that no worker takes it.
  await (await lanes.open()).add('deliver', DATA, { delay: 3_600_000 });
});
afterAll(async () => {
  await exchange.close();
  await stack.close();
});

it('the queue board shows the jobs in a browser', async () => {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({
      httpCredentials: { username: 'anyone', password: KEY },
    });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    await page.goto(`${worker.url}${BOARD}/queue/delivery-lane?status=delayed`);
    await page.getByText(DATA.sourceId).first().waitFor();
    // The template names a font of another origin.
    expect(refused.filter((text) => !text.includes('fonts.googleapis.com'))).toEqual([]);
  } finally {
    await browser.close();
  }
});
