/** Receivers that misbehave: each case ends as docs/webhooks.md says, and the receiver recovers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerResponse } from 'node:http';
import {
  eventually,
  startWebhookReceiver,
  type WebhookAnswer,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { manage, type Service } from '../sync-stack.js';
import { type FaultDirectory, type FaultStack, openFaultStack } from './fault-stack.js';

const CERTIFICATES = 'apps/dsync-e2e/test/faults/certificates';
const USERS = 20;
const EVENT_ATTEMPTS = 3;

const certificate = (name: 'trusted' | 'untrusted') => ({
  cert: readFileSync(join(CERTIFICATES, `${name}.crt.pem`)),
  key: readFileSync(join(CERTIFICATES, `${name}.key.pem`)),
});

let faults: FaultStack;
let worker: Service;
let elsewhere: WebhookReceiver;
beforeAll(async () => {
  elsewhere = await startWebhookReceiver();
  faults = await openFaultStack({
    settings: {
      NODE_EXTRA_CA_CERTS: join(CERTIFICATES, 'trusted.crt.pem'),
      DSYNC_EVENT_ATTEMPTS: String(EVENT_ATTEMPTS),
    },
  });
  worker = await faults.worker();
});
afterAll(async () => {
  await faults.close();
  await elsewhere.close();
});

const untilFailing = (directory: FaultDirectory, reason: RegExp) =>
  eventually(async () => {
    const { state, reason: shown } = await faults.webhookOf(directory);
    expect([state, shown]).toEqual(['failing', expect.stringMatching(reason)]);
  });

/** All changes arrived, the webhook is healthy, and operators were told of both turns. */
const expectRecovery = async (directory: FaultDirectory) => {
  await faults.verify([directory]);
  expect((await faults.webhookOf(directory)).state).toBe('healthy');
  await eventually(() =>
    expect(faults.noticesOf(directory)).toEqual(['webhook.failing', 'webhook.recovered']),
  );
};

/** Writes one byte of a response each second. */
function drip({ socket }: ServerResponse): void {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  let next = 0;
  const timer = setInterval(() => {
    socket?.write(bytes.subarray(next, (next += 1)));
  }, 1_000);
  socket?.once('close', () => clearInterval(timer));
}

const DOWN: [string, () => WebhookAnswer, RegExp][] = [
  ['answers 500', () => ({ status: 500 }), /answered 500/],
  ['never answers', () => ({ answerBy: () => undefined }), /no answer within 2000 ms/],
  ['drips one byte a second', () => ({ answerBy: drip }), /no answer within 2000 ms/],
  ['closes the connection', () => ({ hangUp: true }), /other side closed|ECONNRESET/],
  ['answers 500 with 10 MB', () => ({ status: 500, body: large() }), /answered 500/],
  [
    'redirects to a private address',
    () => ({ status: 307, headers: { location: elsewhere.url } }),
    /answered 307/,
  ],
];

describe('a receiver that is down', () => {
  it.each(DOWN)('%s: one event is retried, the others wait, all arrive', async (...each) => {
    const [, answer, reason] = each;
    const directory = await faults.newDirectory();
    faults.respondTo(directory, answer);
    await directory.provision(USERS);
    await untilFailing(directory, reason);
    await eventually(() => expect(faults.arrivedFor(directory).length).toBeGreaterThan(2));
    expect(new Set(faults.arrivedFor(directory).map(({ id }) => id)).size).toBe(1);
    faults.respondTo(directory, undefined);
    await expectRecovery(directory);
    expect(elsewhere.received).toEqual([]);
  });

  it('presents a bad certificate: it gets nothing until it presents a good one', async () => {
    const receiver = await startWebhookReceiver({ certificate: certificate('untrusted') });
    try {
      const directory = await faults.newDirectory(receiver);
      await directory.provision(USERS);
      await untilFailing(directory, /CERT/);
      expect(receiver.received).toEqual([]);
      receiver.present(certificate('trusted'));
      await expectRecovery(directory);
    } finally {
      await receiver.close();
    }
  });

  it('has a private address: it gets nothing until private addresses are allowed', async () => {
    const directory = await faults.newDirectory();
    expect(await worker.stop()).toBe(0);
    worker = await faults.worker({
      WEBHOOK_ALLOW_PRIVATE: 'false',
      WEBHOOK_PORTS: new URL(faults.receiver.url).port,
    });
    await directory.provision(USERS);
    await untilFailing(directory, /private, loopback or link-local/);
    expect(faults.arrivedFor(directory)).toEqual([]);
    expect(await worker.stop()).toBe(0);
    worker = await faults.worker();
    await expectRecovery(directory);
  });
});

describe('a receiver that takes the events', () => {
  it.each([
    ['answers 204', () => ({ status: 204 })],
    ['answers 200 with 10 MB', () => ({ status: 200, body: large() })],
  ])('%s: each event is sent once, without a notice', async (_, answer) => {
    const directory = await faults.newDirectory();
    faults.respondTo(directory, answer);
    await directory.provision(USERS);
    await faults.verify([directory]);
    expect((await faults.webhookOf(directory)).state).toBe('healthy');
    expect(faults.noticesOf(directory)).toEqual([]);
  });
});

describe('a receiver that refuses one event among good ones', () => {
  it('gets all others in order; the event is parked, and arrives when it is sent again', async () => {
    const directory = await faults.newDirectory();
    faults.respondTo(directory, ({ body }) => ({
      status: body.includes('"userName":"user-7"') ? 422 : 200,
    }));
    await directory.provision(USERS);
    await faults.untilDelivered([directory]);
    const parkedPath = `/${directory.id}/webhook-endpoints/${directory.id}/parked-events`;
    const { body } = await manage(faults.api, 'GET', parkedPath);
    const parked = body.data.parked_events as { event_id: string; attempts: number }[];
    expect(parked.map(({ attempts }) => attempts)).toEqual([EVENT_ATTEMPTS]);
    const poison = parked[0]?.event_id ?? '';
    await faults.verify([directory], { undelivered: [poison] });
    const refused = faults.arrivedFor(directory).filter(({ id }) => id === poison);
    expect(refused.map(({ change }) => change)).toEqual(
      Array.from({ length: EVENT_ATTEMPTS }, () => 'user.created user-7'),
    );
    expect((await faults.webhookOf(directory)).state).toBe('healthy');
    await eventually(() => expect(faults.noticesOf(directory)).toEqual(['event.parked']));

    faults.respondTo(directory, undefined);
    await manage(faults.api, 'POST', `/events/${poison}/resend`);
    await faults.verify([directory]);
    const left = await manage(faults.api, 'GET', parkedPath);
    expect(left.body.data.parked_events).toEqual([]);
  });
});

function large(): string {
  return 'x'.repeat(10 * 1024 * 1024);
}
