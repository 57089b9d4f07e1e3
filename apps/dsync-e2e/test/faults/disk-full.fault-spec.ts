/** The disk of PostgreSQL is full. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newDirectory, user } from '../sync-stack.js';
import {
  type FaultDirectory,
  type FaultStack,
  openFaultStack,
  unrecordedMax,
} from './fault-stack.js';
import { ownPostgres, type OwnStore } from './own-stores.js';
import { type Kind, SERVED, startWatch, type Watch } from './watch.js';

const DISK_MEBIBYTES = 192;
const BLOCK = Buffer.alloc(256 * 1024);
const FULL_MS = 8_000;

let postgres: OwnStore | undefined;
let faults: FaultStack | undefined;
let watch: Watch | undefined;
afterEach(async () => {
  await watch?.end();
  await faults?.close();
  await postgres?.remove();
});

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns a function that makes room again */
function fillDisk(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  for (;;) {
    try {
      appendFileSync(ballast, BLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      return () => rmSync(ballast);
    }
  }
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function kindsOf({ api }: FaultStack): Promise<Record<string, Kind>> {
  const { path, secret } = await newDirectory(api);
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/scim+json',
  };
  const outcomeOf = async (answer: Response) => {
    await answer.text();
    return answer.ok ? SERVED : String(answer.status);
  };
  let users = 0;
  return {
    write: async (signal) => {
      const body = JSON.stringify(user(`watched-${users++}`));
      return outcomeOf(
        await fetch(`${api.url}${path}/Users`, { method: 'POST', headers, body, signal }),
      );
    },
    read: async (signal) => outcomeOf(await fetch(`${api.url}${path}/Users`, { headers, signal })),
  };
}

const test = canMount() ? it : it.skip;

test('refuses changes with 503 while the disk is full, and loses nothing (needs a mount)', async () => {
  const own = (postgres = await ownPostgres(DISK_MEBIBYTES));
  const stack = (faults = await openFaultStack({ databaseServerUrl: own.url }));
  const directories: FaultDirectory[] = await stack.newDirectories(2);
  const worker = await stack.worker();
  let isOver = false;
  const load = Promise.all(directories.map((each) => each.provision(Infinity, () => isOver)));
  await stack.receiver.waitFor(50, 30_000);
  const watched = (watch = startWatch(await kindsOf(stack)));
  await watched.untilServed(10_000);

  const report = await watched.during(async () => {
    const makeRoom = fillDisk(own.folder);
    await sleep(FULL_MS);
    expect((await fetch(`${stack.api.url}/health/alive`)).status).toBe(200);
    makeRoom();
    // PostgreSQL ends itself if it cannot write its log; an operator or a supervisor starts it again.
    if (!(await canConnect(own.url))) {
      await own.crash();
      await own.restart();
    }
    await watched.untilServed(30_000);
  });
  const { write, read } = report;
  expect(write?.outcomes['503']).toBeGreaterThan(0);
  for (const kind of [write, read]) {
    expect([SERVED, '503']).toEqual(expect.arrayContaining(Object.keys(kind?.outcomes ?? {})));
  }
  isOver = true;
  await load;
  // Statements succeed now and then while the disk is full, so each run of a lane may deliver once more.
  await stack.untilDelivered(directories);
  await stack.verify(directories, { repeatsMax: await unrecordedMax(worker) });
  expect(await worker.stop()).toBe(0);
}, 240_000);
