/** Real processes export to a collector of the tests, which decodes what it gets. */
import {
  type CollectedSpan,
  type Collector,
  eventually,
  startCollector,
  startFakeGoogle,
  startWebhookReceiver,
  type TestStack,
  type WebhookReceiver,
} from '@gatehouse/testing';
import {
  connectWorkspace,
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=position' };
const SECRET = 'a-secret-of-the-receiver-0123456789';
/** Not among the attributes of any span, like the secrets of the stack. */
const PERSONAL = ['ada.lovelace@example.com', 'Lovelace', 'tenant-of-ada'];

let stack: TestStack;
let collector: Collector;
let receiver: WebhookReceiver;

beforeEach(async () => {
  collector = await startCollector();
  receiver = await startWebhookReceiver();
  stack = await openSyncStack({ settings: collector.settings });
});

afterEach(async () => {
  await stack.close();
  await receiver.close();
  await collector.close();
});

const hook = () => ({
  webhook_url: `${receiver.url}/hook?token=token-in-an-address`,
  webhook_secret: SECRET,
  tenant: 'tenant-of-ada',
});

const createUser = (directory: TestDirectory, headers: Record<string, string>, name = 'user') =>
  directory.scim('POST', '/Users', user(name), headers);

const parentsOf = (span: CollectedSpan): string[] => {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  const own = `${span.service}: ${span.name}`;
  return parent === undefined ? [own] : [own, ...parentsOf(parent)];
};

describe('one trace', () => {
  let api: Service;
  let directory: TestDirectory;

  beforeEach(async () => {
    api = await stack.start('dsync-api');
    // A sweep that wakes the lane first would be what leases it, outside of the trace.
    const worker = await stack.start('dsync-worker', { DSYNC_SWEEP_INTERVAL: '3600' });
    await eventually(async () => {
      expect(await worker.metrics()).toMatch(/^dsync_lanes_waiting{.*system="dsync"/m);
    });
    directory = await newDirectory(api, hook());
  });

  it('leads from a SCIM request over its statements, its event and the queue to the webhook', async () => {
    await createUser(directory, SAMPLED);
    const [webhook] = await receiver.waitFor(1);
    const of = (name: string | RegExp, kind: CollectedSpan['kind']) =>
      collector.find((span) => {
        const isNamed = typeof name === 'string' ? span.name === name : name.test(span.name);
        return span.traceId === TRACE && isNamed && span.kind === kind;
      });
    const request = await of(/^POST \/api\/scim/, 'server');
    expect(request).toMatchObject({
      service: 'dsync-api',
      parentSpanId: CALLER,
      traceState: 'vendor=position',
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 201 },
    });
    expect(request.attributes['http.route']).toContain(':');
    expect(request.name).toBe(`POST ${String(request.attributes['http.route'])}`);

    const insert = await of('dsync_insert_user', 'client');
    expect(insert).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'dsync_insert_user' },
    });

    const sent = await of('send delivery-lane', 'producer');
    expect(sent.parentSpanId).toBe(request.spanId);
    const processed = await of('process delivery-lane', 'consumer');
    expect(processed).toMatchObject({
      service: 'dsync-worker',
      parentSpanId: sent.spanId,
      attributes: { 'messaging.system': 'bullmq', 'messaging.destination.name': 'delivery-lane' },
    });
    expect(await of('dsync_claim_lanes', 'client')).toMatchObject({
      service: 'dsync-worker',
      parentSpanId: processed.spanId,
    });

    const delivered = await of('POST', 'client');
    expect(delivered).toMatchObject({
      service: 'dsync-worker',
      parentSpanId: request.spanId,
      links: [{ traceId: TRACE, spanId: processed.spanId }],
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
        'gatehouse.webhook.id': webhook?.headers['webhook-id'],
      },
    });
    expect(webhook?.headers.traceparent).toBe(`00-${TRACE}-${delivered.spanId}-01`);
  });

  it('continues with every change of a request, also in a transaction and of a group', async () => {
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map((name) => createUser(directory, {}, name)),
    );
    const members = [ada, bob].map((answer) => ({ value: answer?.body.id as string }));
    const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'g' };
    await directory.scim('POST', '/Groups', { ...group, members }, SAMPLED);
    await receiver.waitFor(5);
    const traced = receiver.received.filter(({ headers }) =>
      String(headers.traceparent).includes(TRACE),
    );
    expect(traced.map(({ body }) => JSON.parse(body).event)).toEqual([
      'group.created',
      'group.user_added',
      'group.user_added',
    ]);
  });

  it.each([
    ['malformed', `00-${TRACE}-${CALLER}`],
    ['of zeros', `00-${'0'.repeat(32)}-${CALLER}-01`],
    ['hostile', `00-${TRACE}-${CALLER}-01'; DROP TABLE dsync.users; --`],
  ])('begins at the request if the traceparent is %s', async (_what, traceparent) => {
    const { status } = await createUser(directory, { traceparent });
    expect(status).toBe(201);
    const request = await collector.find(({ name }) => name.startsWith('POST /api/scim'));
    expect(request.parentSpanId).toBe('');
    expect(request.traceId).not.toBe(TRACE);
    const [webhook] = await receiver.waitFor(1);
    expect(webhook?.headers.traceparent).toContain(request.traceId);
  });

  it('is named by each line of the log', async () => {
    await createUser(directory, SAMPLED);
    await createUser(directory, { traceparent: SAMPLED.traceparent.replace(/01$/, '00') }, 'quiet');
    const lines = await eventually(() => {
      const own = stack.services
        .flatMap((service) => service.logs().split('\n'))
        .filter((line) => line.includes('"msg":"request"') && line.includes(TRACE));
      expect(own).toHaveLength(2);
      return own.map((line) => JSON.parse(line) as Record<string, unknown>);
    });
    const request = await collector.find(({ name }) => name.startsWith('POST /api/scim/'));
    const logged = { trace_id: TRACE, requestId: expect.any(String) };
    expect(lines).toMatchObject([
      { ...logged, span_id: request.spanId, trace_flags: '01' },
      { ...logged, span_id: expect.stringMatching(/^[0-9a-f]{16}$/), trace_flags: '00' },
    ]);
  });

  it('contains no credential and nothing about people', async () => {
    const name = { familyName: 'Lovelace', givenName: 'Ada' };
    const answer = await directory.scim('POST', '/Users', user(PERSONAL[0] as string, { name }));
    await directory.scim('GET', `/Users?filter=userName+eq+%22${PERSONAL[0]}%22`);
    await directory.scim('PUT', `/Users/${answer.body.id}`, user(PERSONAL[0] as string));
    await directory.scim('DELETE', `/Users/${answer.body.id}`);
    await receiver.waitFor(3);
    await collector.find(({ name: span }) => span.startsWith('DELETE'));
    await eventually(() =>
      expect(collector.spans.filter((span) => span.name === 'POST')).toHaveLength(3),
    );
    const exported = collector.bodies.join('\n');
    expect(exported).toContain('dsync_insert_user');
    expect(stack.secrets.findIn(exported)).toEqual([]);
    const own = [...PERSONAL, directory.secret, SECRET, 'token-in-an-address', answer.body.id];
    for (const text of own) expect(exported).not.toContain(text);
  });
});

it('joins the events of a batch: in the trace of the first, with links to the others', async () => {
  const api = await stack.start('dsync-api', { DSYNC_WEBHOOK_BATCH_SIZE: '10' });
  const directory = await newDirectory(api, hook());
  for (const name of ['first', 'second', 'third']) await createUser(directory, {}, name);
  await stack.start('dsync-worker', {
    DSYNC_WEBHOOK_BATCH_SIZE: '10',
    DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: '1s',
  });
  const [webhook] = await receiver.waitFor(1);
  const requests = await eventually(() => {
    const found = collector.spans.filter(({ name }) => name.startsWith('POST /api/scim'));
    expect(found).toHaveLength(3);
    return found;
  });
  const delivered = await collector.find(({ name, kind }) => name === 'POST' && kind === 'client');
  const [first, ...others] = requests;
  expect(parentsOf(delivered)).toEqual(['dsync-worker: POST', `dsync-api: ${first?.name}`]);
  expect(delivered.attributes['messaging.batch.message_count']).toBe(3);
  expect(delivered.links.slice(0, 2)).toEqual(
    others.map(({ traceId, spanId }) => ({ traceId, spanId })),
  );
  expect(webhook?.headers.traceparent).toContain(first?.traceId);
});

it('passes the trace of an event on, although the worker records nothing', async () => {
  const api = await stack.start('dsync-api');
  await stack.start('dsync-worker', { OTEL_SDK_DISABLED: 'true' });
  const directory = await newDirectory(api, hook());
  await createUser(directory, SAMPLED);
  const [webhook] = await receiver.waitFor(1);
  const request = await collector.find(({ name }) => name.startsWith('POST /api/scim'));
  expect(webhook?.headers.traceparent).toBe(`00-${TRACE}-${request.spanId}-01`);
});

it('leads from the call that begins a run of a workspace directory to the webhooks of its users', async () => {
  const google = await startFakeGoogle({ users: 2, groups: 0, membersPerGroup: 0 });
  try {
    const settings = { ...google.settings, WORKSPACE_SYNC_CRON: 'never' };
    const api = await stack.start('dsync-api', settings);
    const id = await connectWorkspace(api, google, hook());
    expect((await manage(api, 'POST', `/${id}/sync`, undefined, SAMPLED)).status).toBe(202);
    // Only now, so that no sweep, which has no trace, can take the run before its job is queued.
    await stack.start('dsync-worker', settings);
    for (const webhook of await receiver.waitFor(2)) {
      expect(webhook.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-.*-01$`));
    }
    const delivered = await collector.find(
      ({ traceId, name, attributes }) =>
        traceId === TRACE && name === 'POST' && attributes['gatehouse.webhook.id'] !== undefined,
    );
    await eventually(() =>
      expect(parentsOf(delivered)).toEqual([
        'dsync-worker: POST',
        'dsync-worker: process workspace-run',
        'dsync-api: send workspace-run',
        'dsync-api: POST /api/v1/dsync/:directoryId/sync',
      ]),
    );
  } finally {
    await google.close();
  }
});
