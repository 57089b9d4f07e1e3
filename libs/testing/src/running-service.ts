import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.js';

export type AppName = 'key-service' | 'dsync-api' | 'dsync-worker' | 'identity-forms';

export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  /** The metrics in the text format of Prometheus, from their own port. */
  metrics(): Promise<string>;
  /** Everything it has printed so far. */
  logs(): string;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, to simulate a crash. */
  kill(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/**
 * Starts a built app (dist/) as a process on free ports and waits until it is ready.
 * @throws with its output when it ends or is not ready within 30 s
 */
export async function startService(
  app: AppName,
  environment: Readonly<Record<string, string>>,
  { waitUntilReady = true }: { waitUntilReady?: boolean } = {},
): Promise<ServiceProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join('dist', 'apps', app, 'src', 'main.js')], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DRAIN_TIME: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));

  const service: ServiceProcess = {
    url: `http://127.0.0.1:${port}`,
    process: child,
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    logs: () => printed,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
  if (waitUntilReady) await untilReady(service, exited, app);
  return service;
}

async function untilReady(
  service: ServiceProcess,
  exited: Promise<number | null>,
  app: AppName,
): Promise<void> {
  let end: { code: number | null } | undefined;
  void exited.then((code) => (end = { code }));
  try {
    await eventually(
      async () => {
        if (end) return;
        const response = await fetch(`${service.url}/health/ready`);
        if (!response.ok) throw new Error(`${app} is not ready: ${await response.text()}`);
      },
      { timeoutMs: START_TIMEOUT_MS, intervalMs: 50 },
    );
    if (end) throw new Error(`${app} ended with code ${end.code} before it was ready`);
  } catch (error) {
    await service.kill();
    throw new Error(`${(error as Error).message}\n${service.logs()}`, { cause: error });
  }
}

/** Runs a built app's migrations on a database. */
export async function runMigrations(
  app: Exclude<AppName, 'dsync-worker'>,
  databaseUrl: string,
): Promise<void> {
  const program = join('dist', 'apps', app, 'src', 'migrate.js');
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`the migrations of ${app} failed`);
}

/**
 * A free TCP port of the loopback interface, below the range from which systems take the ports of
 * outgoing connections.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
