/** How long after its 201 the webhook of a user arrives, while nothing else is delivered. */
import assert from 'node:assert/strict';
import { once as emitted } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { once, service } from '../runner/define.js';
import { type BenchContext, type MeasureTools } from '../runner/types.js';
import { DSYNC_ENV, newDirectory } from '../directory.js';
import { userBody } from '../scim/works.js';

const USERS = 300;
/** The first ones meet connections that are not open and code that is not compiled. */
const WARM_UP = 20;
/** Each user meets an idle worker. */
const PAUSE_MS = 25;
const ARRIVAL_TIMEOUT_MS = 5_000;

const NO_LOAD = () => ({ requests: [], check: () => undefined });

let tools: MeasureTools;
const sortedTimes = once((context) => measureTimes(context, tools));

/** @returns milliseconds that `part` of the webhooks needed at most */
export async function arrival(part: number, context: BenchContext, given: MeasureTools) {
  tools = given;
  const times = await sortedTimes(context);
  return times[Math.ceil(times.length * part) - 1] as number;
}

async function measureTimes(context: BenchContext, { startServer }: MeasureTools) {
  const DATABASE_URL = await context.databaseUrl('arrival');
  await context.migrate('dsync-api', DATABASE_URL);
  const env = () => ({ ...DSYNC_ENV, DATABASE_URL, WEBHOOK_ALLOW_PRIVATE: 'true' });
  const api = await startServer(service('dsync-api', { env, prepare: NO_LOAD }));
  const worker = await startServer(service('dsync-worker', { env, prepare: NO_LOAD }));
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      response.end();
      receiver.emit('webhook');
    });
  });
  try {
    receiver.listen(0, '127.0.0.1');
    await emitted(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const { path, headers } = await newDirectory(api.url, `http://127.0.0.1:${port}/`);
    const times: number[] = [];
    for (let n = 0; n < USERS; n++) {
      const arrives = emitted(receiver, 'webhook', {
        signal: AbortSignal.timeout(ARRIVAL_TIMEOUT_MS),
      }).then(() => performance.now());
      const { status } = await fetch(`${api.url}${path}/Users`, {
        method: 'POST',
        headers,
        body: JSON.stringify(userBody(`u${n}@bench.example`)),
      });
      const answeredAt = performance.now();
      assert.equal(status, 201);
      const arrivedAt = await arrives;
      if (n >= WARM_UP) times.push(Math.max(0, arrivedAt - answeredAt));
      await delay(PAUSE_MS);
    }
    return times.sort((a, b) => a - b);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await worker.stop();
    await api.stop();
  }
}
