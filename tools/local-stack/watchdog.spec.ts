import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutAt, makeFolders } from './layout.mjs';
import { takeLock } from './lock.mjs';
import { isAlive, launch } from './processes.mjs';
import { stopRecorded } from './stopping.mjs';

let layout: ReturnType<typeof layoutAt>;

beforeEach(() => {
  layout = layoutAt(mkdtempSync(join(tmpdir(), 'gatehouse-watchdog-')));
  makeFolders(layout);
  takeLock(layout.lock);
});

afterEach(async () => {
  await stopRecorded(layout);
  rmSync(layout.root, { recursive: true });
});

/** Runs the watchdog of a process, with the lock held by this one, until the pipe has a word. */
async function watch(pid: number, word: string) {
  const { record } = launch(layout, {
    name: 'app',
    role: 'application',
    program: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    cwd: '/',
  });
  const args = ['tools/local-stack/watchdog.mjs', layout.root, String(pid)];
  const watchdog = spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  watchdog.stdin.end(word);
  await once(watchdog, 'exit');
  return record;
}

it('ends what a killed run had started, though that run still seems to hold the lock', async () => {
  expect(isAlive(await watch(process.pid, ''))).toBe(false);
});

it('leaves everything to a new run that has the lock by now', async () => {
  expect(isAlive(await watch(1, ''))).toBe(true);
});

it('leaves everything where it is when it was released', async () => {
  expect(isAlive(await watch(process.pid, 'released'))).toBe(true);
});
