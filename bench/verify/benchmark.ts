import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BenchContext,
  type Benchmark,
  type Load,
  type MeasureTools,
} from '../runner/types.js';
import { keyService, post, verifications, VERIFY_BATCH } from './sides.js';

const CACHED = 100_000;
const FEW = { keys: 1_000, secrets: 100 };
const HOT = { keys: 1_000, secrets: 10 };
const BATCH = 100;
/** V8 collects what a load has left at some time after it, sometimes after 17 seconds. */
const SETTLE_SECONDS = 30;

let load: Load | undefined;

export const benchmark: Benchmark = {
  title: 'Verify keys from memory, against a bare Fastify route that answers the same bytes',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'verify, cached',
      aim: { ratio: 0.85 },
      subject: keyService(FEW, (_server, { secrets }) => (load = verifications(secrets))),
      floor: {
        name: 'bare Fastify',
        script: 'dist/bench/verify/floor.js',
        ready: '/ready',
        env: ({ sample }) => ({ NODE_ENV: 'production', ANSWER: sample?.body ?? '' }),
        prepare: (_server, { sample }) => {
          assert.ok(load);
          const { requests } = load;
          return { requests, check: ({ body }) => assert.equal(body, sample?.body) };
        },
      },
    },
    {
      kind: 'http',
      name: 'verify of a derived JWT, repeated',
      aim: { ratio: 0.85 },
      subject: keyService(
        FEW,
        async (server, { secrets }) => {
          const tokens: string[] = [];
          for (const credential of secrets) {
            const path = '/v2alpha1/admin/apiKeys:derive';
            const { token } = await post<{ token: { token: string } }>(server, path, {
              credential,
            });
            tokens.push(token.token);
          }
          return verifications(tokens);
        },
        { name: 'derived JWTs' },
      ),
      floor: keyService(FEW, (_server, { secrets }) => verifications(secrets), {
        name: 'keys, cached',
      }),
    },
    {
      kind: 'http',
      name: 'verify, cached, with 1 % traced',
      limit:
        'at this rate, 1 % is 400 traces a second. Each costs the SDK and its export some 200 µs.',
      aim: { ratio: 0.95 },
      subject: keyService(FEW, (_server, { secrets }) => verifications(secrets), {
        name: 'traced',
        env: async (context) => ({
          OTEL_EXPORTER_OTLP_ENDPOINT: await startSink(context),
          OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
          OTEL_TRACES_SAMPLER_ARG: '0.01',
        }),
      }),
      floor: keyService(FEW, (_server, { secrets }) => verifications(secrets), {
        name: 'not traced',
      }),
    },
    ...(['leased', 'strict'] as const).map((limit) => ({
      kind: 'http' as const,
      name: `verify, cached, with a ${limit} limit`,
      aim: limit === 'leased' ? { ratio: 0.6 } : undefined,
      subject: keyService({ ...HOT, limit }, (_server, { secrets }) => verifications(secrets), {
        name: `${limit} limit`,
      }),
      floor: keyService(HOT, (_server, { secrets }) => verifications(secrets), {
        name: 'no limit',
      }),
    })),
    {
      kind: 'measure',
      name: 'memory of 100,000 cached keys',
      limit:
        'a key takes 0.58 kB of the heap after a collection, which a test bounds. ' +
        'V8 may keep the garbage of the load for longer than this row waits.',
      unit: 'MB above 100',
      aim: { atMost: 80 },
      measure: measureCache,
    },
  ],
};

/** A collector that takes everything, in the process that makes the load. */
async function startSink({ onClose }: BenchContext): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** As in deploy/kubernetes. */
const HEAP = '--max-old-space-size=537 --max-semi-space-size=16';

async function measureCache(context: BenchContext, { startServer, rssBytes }: MeasureTools) {
  let credentials: string[] = [];
  const side = keyService(
    { keys: CACHED, secrets: CACHED },
    (_server, { secrets }) => {
      credentials = secrets;
      return { requests: [], check: () => {} };
    },
    { env: { CACHE_TTL: '1h', NODE_OPTIONS: HEAP } },
  );
  const server = await startServer(side);
  await side.prepare(server, context);
  const verify = async (batch: readonly string[]) => {
    const requests = batch.map((credential) => ({ credential }));
    const { results } = await post<{ results: { is_valid: boolean }[] }>(server, VERIFY_BATCH, {
      requests,
    });
    assert.ok(results.every((result) => result.is_valid));
  };
  const settled = async () => {
    let leastBytes = Infinity;
    for (let seconds = 0; seconds < SETTLE_SECONDS; seconds += 1) {
      await delay(1_000);
      leastBytes = Math.min(leastBytes, rssBytes(server.pid));
    }
    return leastBytes;
  };
  // The same load with few keys first: what requests cost, such as a larger young generation of the
  // heap, is not the cost of the cache.
  const few = credentials.slice(0, BATCH);
  for (let from = 0; from < CACHED; from += BATCH) await verify(few);
  const fewBytes = await settled();
  for (let from = 0; from < CACHED; from += BATCH) {
    await verify(credentials.slice(from, from + BATCH));
  }
  const bytes = (await settled()) - fewBytes;
  await server.stop();
  return bytes / 1e6;
}
