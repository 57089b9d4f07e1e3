/** A PostgreSQL or a Redis of one test, which may crash and come back on its port. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Layout, layoutAt, makeFolders } from '#local-stack/layout.mjs';
import { startPgBouncer } from '#local-stack/pgbouncer.mjs';
import { startPostgres } from '#local-stack/postgres.mjs';
import { descendantsOf } from '#local-stack/process-table.mjs';
import { type RunningProcess } from '#local-stack/processes.mjs';
import { startRedis } from '#local-stack/redis.mjs';
import { stopRecorded } from '#local-stack/stopping.mjs';
import { freePort } from '@gatehouse/testing';

const PASSWORD = 'test';

export interface OwnStore {
  url: string;
  folder: string;
  /** Ends it at once, without a farewell to its clients. */
  crash(): Promise<void>;
  /** Ends it and what it has started by SIGKILL, as a machine that loses its power does. */
  kill(): Promise<void>;
  /** Stops it and what it has started, connections open, as a machine that hangs does. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
  /** Starts it again with the data that it had. */
  restart(): Promise<void>;
  /** Starts it again without any data. */
  restartEmpty(): Promise<void>;
  remove(): Promise<void>;
}

export function ownRedis(): Promise<OwnStore> {
  return ownStore(
    (plan) => startRedis(plan),
    'SIGKILL',
    ({ redis }) => redis,
  );
}

/** @param diskMebibytes the size of a disk of its own, which takes root to mount */
export function ownPostgres(diskMebibytes?: number): Promise<OwnStore> {
  // PostgreSQL recovers after SIGQUIT as after a crash; SIGKILL would leave its children behind.
  return ownStore(
    (plan) => startPostgres(plan),
    'SIGQUIT',
    ({ postgres }) => postgres,
    diskMebibytes,
  );
}

/** PgBouncer with the settings of deploy/kubernetes that matter in an outage. */
export async function ownPgBouncer(
  serverUrl: string,
): Promise<{ url: string; remove: () => Promise<void> }> {
  const { layout, remove } = ownLayout();
  const file = readFileSync('deploy/kubernetes/components/pgbouncer/pgbouncer.ini', 'utf8');
  const settings = Object.fromEntries(
    [...file.matchAll(/^(query_wait_timeout|server_login_retry) = (\d+)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
  const { signal } = new AbortController();
  const { url } = await startPgBouncer({
    layout,
    port: await freePort(),
    serverUrl,
    settings,
    signal,
  });
  return { url, remove };
}

function ownLayout() {
  const root = mkdtempSync(join(process.env.TEST_STACKS_FOLDER ?? tmpdir(), 'faults-'));
  // The user that root lends to the program must enter.
  chmodSync(root, 0o755);
  const layout = layoutAt(root);
  makeFolders(layout);
  const remove = async () => {
    await stopRecorded(layout);
    rmSync(root, { recursive: true, force: true });
  };
  return { layout, remove };
}

type Start = (
  plan: Parameters<typeof startRedis>[0],
) => Promise<{ url: string; running: RunningProcess }>;

async function ownStore(
  start: Start,
  crashSignal: NodeJS.Signals,
  folderOf: (layout: Layout) => string,
  diskMebibytes?: number,
): Promise<OwnStore> {
  const { layout, remove } = ownLayout();
  const folder = folderOf(layout);
  if (diskMebibytes !== undefined) {
    mkdirSync(folder, { recursive: true });
    const options = `size=${diskMebibytes}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  }
  const port = await freePort();
  const plan = { layout, port, password: PASSWORD, signal: new AbortController().signal };
  let { url, running } = await start(plan);
  const restart = async () => {
    ({ url, running } = await start(plan));
  };
  return {
    url,
    folder,
    crash: async () => {
      running.child.kill(crashSignal);
      await running.ended;
    },
    kill: async () => {
      const { pid = 0 } = running.child;
      signalFamily(pid, 'SIGSTOP');
      for (const each of [...descendantsOf(pid), pid]) process.kill(each, 'SIGKILL');
      await running.ended;
    },
    freeze: () => signalFamily(running.child.pid, 'SIGSTOP'),
    thaw: () => signalFamily(running.child.pid, 'SIGCONT'),
    restart,
    restartEmpty: async () => {
      rmSync(folder, { recursive: true, force: true });
      await restart();
    },
    remove: async () => {
      await stopRecorded(layout);
      if (diskMebibytes !== undefined) execFileSync('umount', ['--lazy', folder]);
      await remove();
    },
  };
}

/** Signals a process, then its children: a stopped server starts no more of them. */
function signalFamily(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  process.kill(pid, signal);
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (parentOf(entry) === pid) process.kill(Number(entry), signal);
  }
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
