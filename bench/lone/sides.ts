/** The two systems: ours as `npm start` runs it, and the floor. */
import { setTimeout as delay } from 'node:timers/promises';
import { once, service } from '../runner/define.js';
import { cpuMicros, startServer } from '../runner/servers.js';
import { type BenchContext, type HttpSide, type SideSettings } from '../runner/types.js';
import { DSYNC_ENV, newDirectory } from '../directory.js';
import { SETTINGS } from '../start/settings.js';

export interface Target {
  url: string;
  headers: Record<string, string>;
}

export interface System {
  /** By the names of the columns of the report. */
  pids: Record<string, number>;
  databaseUrl: string;
  /** Adds a directory whose events go to this URL, and returns where a POST makes one. */
  add: (webhookUrl: string) => Promise<Target>;
  stop: () => Promise<void>;
}

export type Settings = Pick<SideSettings, 'label' | 'profile'>;

const SETTLE_MS = 30_000;
const IDLE_MS = 60_000;

const prepare = () => ({ requests: [], check: () => undefined });

/** The worker delivers the events of all three services. */
const others = once(async (context) => {
  const database = async (app: 'key-service' | 'identity-forms') => {
    const url = await context.databaseUrl(app);
    await context.migrate(app, url);
    return url;
  };
  const encryptionKeys = SETTINGS['dsync-worker']?.['ENCRYPTION_KEYS'] ?? '';
  return {
    KEYS_DATABASE_URL: await database('key-service'),
    KEYS_ENCRYPTION_KEYS: encryptionKeys,
    FORMS_DATABASE_URL: await database('identity-forms'),
    FORMS_ENCRYPTION_KEYS: encryptionKeys,
  };
});

export async function startOurs(context: BenchContext, settings: Settings): Promise<System> {
  const databaseUrl = await context.databaseUrl(settings.label);
  await context.migrate('dsync-api', databaseUrl);
  const env = async () => ({
    ...DSYNC_ENV,
    ...(await others(context)),
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    REDIS_NAMESPACE: `${context.redisNamespace}-${slug(settings.label)}`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const [api, worker] = [
    service('dsync-api', { env, prepare }),
    service('dsync-worker', { env, prepare }),
  ];
  return startBoth(context, settings, { databaseUrl, api, worker }, (url) => async (webhookUrl) => {
    const { path, headers } = await newDirectory(url, webhookUrl);
    return { url: `${url}${path}/Users`, headers };
  });
}

export async function startFloor(context: BenchContext, settings: Settings): Promise<System> {
  const databaseUrl = await context.databaseUrl(settings.label);
  const side = (script: string): HttpSide => ({
    name: script,
    script: `dist/bench/lone/${script}.js`,
    ready: '/ready',
    env: ({ redisUrl }) => ({
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      CHANNEL: `${context.redisNamespace}-${slug(settings.label)}`,
    }),
    prepare,
  });
  const [api, worker] = [side('floor-api'), side('floor-sender')];
  return startBoth(context, settings, { databaseUrl, api, worker }, (url) => async (webhookUrl) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ url: webhookUrl });
    const response = await fetch(`${url}/lanes`, { method: 'POST', headers, body });
    const { id } = (await response.json()) as { id: number };
    return { url: `${url}/lanes/${id}/events`, headers };
  });
}

/** The share of a core, in percent, that a worker takes while 50 directories are quiet. */
export async function idleWorker(context: BenchContext): Promise<number> {
  const system = await startOurs(context, { label: 'lone idle', profile: false });
  try {
    for (let n = 0; n < 50; n += 1) await system.add('http://127.0.0.1:9/');
    await delay(SETTLE_MS);
    return await shareOfCore([system.pids['worker µs'] ?? NaN]);
  } finally {
    await system.stop();
  }
}

/** The share of a core, in percent, that processes take in the next minute. */
export async function shareOfCore(pids: readonly number[]): Promise<number> {
  const micros = () => pids.reduce((sum, pid) => sum + (cpuMicros(pid) ?? NaN), 0);
  const before = micros();
  await delay(IDLE_MS);
  return ((micros() - before) / 1_000 / IDLE_MS) * 100;
}

async function startBoth(
  context: BenchContext,
  { label, profile }: Settings,
  sides: { databaseUrl: string; api: HttpSide; worker: HttpSide },
  adder: (url: string) => System['add'],
): Promise<System> {
  const start = (role: 'api' | 'worker') =>
    startServer(sides[role], context, { label: `${label} ${role}`, profile });
  const [api, worker] = [await start('api'), await start('worker')];
  return {
    pids: { 'API µs': api.pid, 'worker µs': worker.pid },
    databaseUrl: sides.databaseUrl,
    add: adder(api.url),
    stop: async () => void (await Promise.all([worker.stop(), api.stop()])),
  };
}

function slug(label: string): string {
  return label.replaceAll(/\W+/g, '-');
}
