import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { refuseToPassPooler } from './test-database.js';

export type AppName =
  'key-service' | 'dsync-api' | 'dsync-worker' | 'identity-forms' | 'console' | 'gatehouse';

/** The apps with migrations of their own. */
export type MigratedApp = Exclude<AppName, 'dsync-worker' | 'gatehouse'>;

export interface ServiceProcess {
  url: string;
  /** The admin surface of a process with all services; otherwise the same as `url`. */
  adminUrl: string;
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

const START_TIMEOUT_MS = 60_000;

/**
 * Starts the bundle of an app as a process and waits until it is ready. The system chooses its ports,
 * so that no other process can take them first.
 * @param folder of another version of the project, which is built there
 * @throws with its output when it ends or is not ready within 60 s
 */
export async function startService(
  app: AppName,
  environment: Readonly<Record<string, string>>,
  folder = '',
): Promise<ServiceProcess> {
  refuseToPassPooler(environment);
  const child = spawn(process.execPath, [programOf(app, 'main', folder)], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      ADMIN_PORT: '0',
      DRAIN_TIME: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const { url, adminUrl, metricsPort } = await untilReady(child, () => printed);
    return {
      url,
      adminUrl,
      process: child,
      metrics: () => textOf(`http://127.0.0.1:${metricsPort}/metrics`),
      logs: () => printed,
      stop: () => {
        child.kill('SIGTERM');
        return exited;
      },
      kill,
    };
  } catch (error) {
    await kill();
    throw new Error(`${app}: ${(error as Error).message}\n${printed}`, { cause: error });
  }
}

/** On a connection of its own: see HttpClient. */
async function textOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

interface Addresses {
  url: string;
  adminUrl: string;
  metricsPort: number;
}

async function untilReady(child: ChildProcess, printed: () => string): Promise<Addresses> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const addresses = await eventually(
    async () => {
      if (hasEnded()) return undefined;
      const listening = addressesIn(printed());
      if (!listening) throw new Error('does not listen');
      const response = await fetch(`${listening.url}/health/ready`);
      if (!response.ok) throw new Error(`is not ready: ${await response.text()}`);
      return listening;
    },
    { timeoutMs: START_TIMEOUT_MS, intervalMs: 50 },
  );
  if (!addresses) throw new Error(`ended with code ${child.exitCode} before it was ready`);
  return addresses;
}

/** Where a service listens, by the line that it logs once it does. */
function addressesIn(printed: string): Addresses | undefined {
  const line = printed.split('\n').find((text) => text.includes('"msg":"listening"'));
  if (!line) return undefined;
  const {
    url,
    adminUrl = url,
    metricsAddress,
  } = JSON.parse(line) as {
    url: string;
    adminUrl?: string;
    metricsAddress: { port: number };
  };
  return { url, adminUrl, metricsPort: metricsAddress.port };
}

/**
 * The bundle of a program of an app; a version of the project that makes no bundles has only the
 * compiled files.
 */
function programOf(app: AppName, program: string, folder: string): string {
  const bundle = join(folder, 'dist', 'bundles', app, `${program}.js`);
  return existsSync(bundle) ? bundle : join(folder, 'dist', 'apps', app, 'src', `${program}.js`);
}

/** Runs a built app's migrations on a database; `folder` as for `startService`. */
export async function runMigrations(
  app: MigratedApp,
  databaseUrl: string,
  folder = '',
): Promise<void> {
  const program = programOf(app, 'migrate', folder);
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
