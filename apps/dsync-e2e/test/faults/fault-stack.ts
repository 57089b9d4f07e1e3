/** Directory sync with identity providers and a receiver of webhooks, for tests that break a part. */
import { randomUUID } from 'node:crypto';
import {
  eventually,
  orClose,
  type ReceivedWebhook,
  startWebhookReceiver,
  type TestStack,
  type WebhookAnswer,
  type WebhookReceiver,
} from '@gatehouse/testing';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
} from '../sync-stack.js';
import { type Allowance, arrivalsOf, compare } from './comparison.js';
import { identityProvider, type Provider } from './provider.js';

export const SECRET = 'a-secret-of-the-receiver-0123456789';

/** The most events that a worker may have delivered and not yet recorded, per run of a lane. */
export const UNRECORDED_MAX = 51;

/** Path of the receiver for operator notices. */
const OPERATIONS_PATH = '/operations';
const DELIVERY_LIMIT_MS = 60_000;
const CREATED_AT_ONCE = 10;

export interface FaultDirectory extends TestDirectory, Provider {
  /** The path of its webhook. */
  hook: string;
}

export interface Notice {
  event: string;
  data: { endpoint_id: string; state?: string; event_id?: string };
}

export interface FaultStack {
  stack: TestStack;
  api: Service;
  receiver: WebhookReceiver;
  /** A worker whose sweeps and retries are fast. */
  worker(settings?: Readonly<Record<string, string>>): Promise<Service>;
  /** A directory whose webhooks go to the receiver, or to another one. */
  newDirectory(at?: WebhookReceiver): Promise<FaultDirectory>;
  newDirectories(count: number): Promise<FaultDirectory[]>;
  /** Answers webhooks of one directory in a way of its own; as usual again with `undefined`. */
  respondTo(
    directory: FaultDirectory,
    answer: ((webhook: ReceivedWebhook) => WebhookAnswer) | undefined,
  ): void;
  /** The health of the webhook of a directory. */
  webhookOf(directory: FaultDirectory): Promise<{ state: string; reason: string | null }>;
  /** Events that arrived for a directory. */
  arrivedFor(directory: FaultDirectory): ReturnType<typeof arrivalsOf>;
  noticesOf(directory: FaultDirectory): string[];
  /** Waits until nothing is left to deliver; fails if nothing arrives for the limit. */
  untilDelivered(directories: readonly FaultDirectory[], limitMs?: number): Promise<void>;
  /** Waits until nothing is left to deliver, then runs the comparison, which must find no fault. */
  verify(directories: readonly FaultDirectory[], allowance?: Allowance): Promise<void>;
  close(): Promise<void>;
}

/**
 * The most events that a worker may have delivered twice because PostgreSQL refused the record. Lane
 * runs that could not record end as `failed`, or as `busy` once their lease is gone.
 */
export async function unrecordedMax(worker: Service): Promise<number> {
  const ends = (await worker.metrics()).matchAll(
    /^dsync_lane_duration_seconds_count{end="(?:failed|busy)"} (\d+)$/gm,
  );
  return [...ends].reduce((sum, [, runs]) => sum + Number(runs) * UNRECORDED_MAX, 0);
}

/** @param apiName the process that serves management and SCIM */
export async function openFaultStack(
  options: Parameters<typeof openSyncStack>[0] = {},
  apiName: 'dsync-api' | 'gatehouse' = 'dsync-api',
): Promise<FaultStack> {
  const receiver = await startWebhookReceiver();
  const settings = {
    DSYNC_SWEEP_INTERVAL: '1',
    DSYNC_WEBHOOK_TIMEOUT: '2',
    DSYNC_WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 40 }, () => '1').join(),
    OPERATIONS_WEBHOOK_URL: receiver.url + OPERATIONS_PATH,
    OPERATIONS_WEBHOOK_SECRET: SECRET,
    ...options.settings,
  };
  const stack = await orClose(receiver.close, () => openSyncStack({ ...options, settings }));
  const close = async () => {
    await receiver.close();
    await stack.close();
  };
  const api = await orClose(close, () => stack.start(apiName));

  const answers = new Map<string, (webhook: ReceivedWebhook) => WebhookAnswer>();
  receiver.respond((webhook) => answers.get(webhook.path)?.(webhook) ?? {});
  const receivers = new Set([receiver]);
  const received = () => [...receivers].flatMap((each) => each.received);
  const { database } = stack;

  const untilDelivered: FaultStack['untilDelivered'] = (directories, limitMs = DELIVERY_LIMIT_MS) =>
    eventually(
      async () => {
        const waiting = await database.query(
          `SELECT p.id, p.state, p.reason, p.open_replays FROM dsync.endpoints p
           WHERE p.source_id = ANY ($1) AND (p.open_replays > 0 OR EXISTS (
             SELECT FROM dsync.events e
             WHERE e.source_id = p.source_id AND e.sequence > p.cursor))`,
          [directories.map(({ id }) => id)],
        );
        expect(waiting).toEqual([]);
      },
      { timeoutMs: limitMs, intervalMs: 100, progress: () => received().length },
    );

  const arrivedFor: FaultStack['arrivedFor'] = ({ hook }) =>
    arrivalsOf({ received: received().filter(({ path }) => path === hook), secret: SECRET });

  const newOne: FaultStack['newDirectory'] = async (at = receiver) => {
    receivers.add(at);
    const hook = `/hooks/${randomUUID()}`;
    const directory = await newDirectory(api, {
      webhook_url: at.url + hook,
      webhook_secret: SECRET,
    });
    return { ...directory, ...identityProvider(directory), hook };
  };

  return {
    stack,
    api,
    receiver,
    worker: (more) => stack.start('dsync-worker', more),
    newDirectory: newOne,
    newDirectories: async (count) => {
      const directories: FaultDirectory[] = [];
      while (directories.length < count) {
        const part = Math.min(count - directories.length, CREATED_AT_ONCE);
        directories.push(...(await Promise.all(Array.from({ length: part }, () => newOne()))));
      }
      return directories;
    },
    respondTo: ({ hook }, answer) => {
      if (answer) answers.set(hook, answer);
      else answers.delete(hook);
    },
    webhookOf: async ({ id }) => (await manage(api, 'GET', `/${id}/status`)).body.data.webhook,
    arrivedFor,
    noticesOf: ({ id }) =>
      receiver.received
        .filter(({ path }) => path === OPERATIONS_PATH)
        .map(({ body }) => JSON.parse(body) as Notice)
        .filter(({ data }) => data.endpoint_id === id)
        .map(({ event }) => event),
    untilDelivered,
    verify: async (directories, allowance) => {
      await untilDelivered(directories);
      const compared = { database, received: received(), directories, secret: SECRET };
      expect(await compare(compared, allowance)).toEqual([]);
    },
    close,
  };
}
