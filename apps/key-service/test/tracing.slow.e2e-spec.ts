/** Tracing of a service with direct routes and events, and collectors that are away or hang. */
import { spawnSync } from 'node:child_process';
import {
  type CollectedSpan,
  type Collector,
  eventually,
  freePort,
  startCollector,
  startWebhookReceiver,
} from '@gatehouse/testing';
import { openGuardedServices } from './guarded-services.js';
import { bearer, type KeyServiceStack, startKeyService } from './key-stack.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const SAMPLED = { headers: { traceparent: `00-${TRACE}-${CALLER}-01` } };
const VERIFY = 'POST /v2alpha1/admin/apiKeys';

let service: KeyServiceStack | undefined;
let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await collector.close();
});

const startWith = async (settings: Record<string, string>) => {
  service = await startKeyService(settings);
  return service;
};
const linesOf = (text: string) =>
  (service as KeyServiceStack).replicas[0]!.logs()
    .split('\n')
    .filter((line) => line.includes(text));

it('records a direct route like any other, in the trace of its caller', async () => {
  const { issue, verify } = await startWith(collector.settings);
  const { secret } = await issue();
  await verify(secret);
  const { headers } = await verify(secret, {}, SAMPLED);
  expect(headers.get('x-cache')).toBe('HIT');
  const span = await collector.find(({ traceId }) => traceId === TRACE);
  expect(span).toMatchObject({
    service: 'key-service',
    kind: 'server',
    parentSpanId: CALLER,
    attributes: { 'http.request.method': 'POST', 'http.response.status_code': 200 },
  });
  expect(span.name).toMatch(/^POST \/v2alpha1\/admin\/apiKeys::?verify$/);
  await eventually(() => expect(linesOf(`"trace_id":"${TRACE}"`)).not.toHaveLength(0));
  expect(collector.bodies.join('\n')).not.toContain(secret);
});

it('leads from the issue of a key to the webhook about it', async () => {
  const settings = { ...collector.settings, WEBHOOK_ALLOW_PRIVATE: 'true' };
  const { admin, startWorker } = await startWith(settings);
  const receiver = await startWebhookReceiver();
  const worker = await startWorker(settings);
  await admin('POST', '/webhook-endpoints', { url: receiver.url });
  await admin('POST', '/issuedApiKeys', { name: 'x', actor_id: 'x' }, SAMPLED);
  const [webhook] = await receiver.waitFor(1);
  const request = await collector.find(
    ({ traceId, kind }) => traceId === TRACE && kind === 'server',
  );
  const delivered = await collector.find(
    ({ name, parentSpanId }) => name === 'POST' && parentSpanId === request.spanId,
  );
  expect(delivered).toMatchObject({ service: 'dsync-worker', traceId: TRACE });
  expect(webhook?.headers.traceparent).toBe(`00-${TRACE}-${delivered.spanId}-01`);
  await worker.stop();
  await receiver.close();
});

it('leads from a request through another service, over Redis, to the statement that answers it', async () => {
  const guarded = await openGuardedServices(collector.settings);
  try {
    const { secret } = await guarded.issue(['forms:read']);
    const { http } = guarded.services['identity-forms'];
    const headers = { ...bearer(secret), ...SAMPLED.headers };
    expect((await http.send('GET', '/v1/identities', { headers })).status).toBe(200);
    const ofMessage = (kind: string) => (span: CollectedSpan) =>
      span.traceId === TRACE && span.kind === kind && span.name === 'keys.judge_administrator';
    const [request, asked, answered] = await Promise.all([
      collector.find(({ parentSpanId }) => parentSpanId === CALLER),
      collector.find(ofMessage('client')),
      collector.find(ofMessage('server')),
    ]);
    expect([request.service, asked.service, answered.service]).toEqual([
      'identity-forms',
      'identity-forms',
      'key-service',
    ]);
    expect([asked.parentSpanId, answered.parentSpanId]).toEqual([request.spanId, asked.spanId]);
    const isStatement = (span: CollectedSpan) => 'db.query.summary' in span.attributes;
    await collector.find((span) => span.parentSpanId === answered.spanId && isStatement(span));
    expect(collector.bodies.join('\n')).not.toContain(secret);
  } finally {
    await guarded.close();
  }
});

it('exports what is left before the process ends, as protobuf by default', async () => {
  const { verify, replicas } = await startWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '60000',
  });
  await verify('unknown', {}, SAMPLED);
  expect(collector.bodies).toEqual([]);
  expect(await replicas[0]!.stop()).toBe(0);
  // The first field of the message is a ResourceSpans.
  expect(collector.bodies[0]?.charCodeAt(0)).toBe(0x0a);
  expect(collector.bodies[0]).toContain(VERIFY);
});

it.each(['away', 'hanging'])(
  'serves with a collector that is %s, and ends in time',
  async (how) => {
    collector.hang();
    const url = how === 'away' ? `http://127.0.0.1:${await freePort()}` : collector.url;
    const { verify, replicas } = await startWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
    });
    const warnings = () => linesOf('traces cannot be exported');
    await eventually(async () => {
      expect((await verify('unknown')).status).toBe(200);
      expect(warnings()).toHaveLength(1);
    });
    for (let sent = 0; sent < 200; sent += 1) await verify('unknown');
    expect(warnings()).toHaveLength(1);
    const startedAt = performance.now();
    expect(await replicas[0]!.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  },
);

/** Prints on SIGUSR2 whether the SDK has registered itself with the API of OpenTelemetry. */
const DIAGNOSTIC = `data:text/javascript,${encodeURIComponent(`
process.on('SIGUSR2', () => {
  const isRegistered = Symbol.for('opentelemetry.js.api.1') in globalThis;
  console.log('started ' + (isRegistered ? 'the SDK' : 'no SDK'));
});`)}`;

it.each<[string, Record<string, string>, string]>([
  ['without settings', {}, 'started no SDK'],
  ['with an exporter alone', { OTEL_TRACES_EXPORTER: 'otlp' }, 'started no SDK'],
  ['with an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, 'started the SDK'],
])('starts the SDK %s', async (_what, settings, expected) => {
  const { replicas } = await startWith({ NODE_OPTIONS: `--import=${DIAGNOSTIC}`, ...settings });
  replicas[0]!.process.kill('SIGUSR2');
  await eventually(() => expect(linesOf('started ')).toHaveLength(1));
  expect(linesOf('started ')).toEqual([expected]);
});

it.each([
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
])('records nothing with %s=%s', async (name, value) => {
  const { verify } = await startWith({ ...collector.settings, [name]: value });
  await verify('unknown', {}, SAMPLED);
  expect(linesOf('"msg":"request"').join()).not.toContain('trace_id');
  expect(collector.bodies).toEqual([]);
});

it('refuses an address that is not valid, and prints no password', () => {
  const start = (endpoint: string) =>
    spawnSync(process.execPath, ['dist/bundles/key-service/main.js'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    });
  const own = start('http://me:hunter2@collector:4318');
  expect([own.status, own.stderr]).toEqual([
    78,
    expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT: must not contain a user name'),
  ]);
  expect(own.stderr).not.toContain('hunter2');
  expect(start('collector:4318').stderr).toContain(
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https URL',
  );
});
