import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, runCommand } from './commands.mjs';
import { layoutAt, makeFolders } from './layout.mjs';
import { lockHolder, takeLock } from './lock.mjs';
import { descendantsOf, startTimeOf } from './process-table.mjs';
import { isAlive, launch, lastLines, readRecords } from './processes.mjs';
import { waitUntilReady } from './readiness.mjs';
import { stopRecorded } from './stopping.mjs';
import { together } from './together.mjs';

const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');`;
let layout: ReturnType<typeof layoutAt>;

beforeEach(() => {
  layout = layoutAt(mkdtempSync(join(tmpdir(), 'gatehouse-processes-')));
  makeFolders(layout);
});

afterEach(async () => {
  await stopRecorded(layout);
  rmSync(layout.root, { recursive: true });
});

const run = (name: string, script: string, role: 'application' | 'helper' = 'application') =>
  launch(layout, { name, role, program: process.execPath, args: ['-e', script], cwd: '/' });

const signal = new AbortController().signal;

const untilUp = (running: ReturnType<typeof run>) =>
  waitUntilReady(
    running,
    () =>
      lastLines(running.logFile, 1) === 'up' ? Promise.resolve() : Promise.reject(new Error()),
    { signal },
  );

describe('a recorded process', () => {
  it('is found alive by its record alone', () => {
    run('app', stubborn);
    expect(readRecords(layout).map(isAlive)).toEqual([true]);
  });

  it('is no longer taken for ours when its number belongs to another process', () => {
    const { record } = run('app', stubborn);
    expect(isAlive({ ...record, pid: process.pid })).toBe(false);
    expect(isAlive({ ...record, startedAt: 'another boot:1' })).toBe(false);
    expect(isAlive({ ...record, program: 'nginx' })).toBe(false);
  });

  it('is killed with its children when it does not go by itself', async () => {
    const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}],
      { stdio: 'inherit' }); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`;
    const running = run('app', parent);
    await untilUp(running);
    const children = descendantsOf(running.record.pid);
    expect(children).not.toHaveLength(0);
    const hurry = AbortSignal.abort();
    expect(await stopRecorded(layout, { hurry })).toEqual(['app']);
    expect(isAlive(running.record)).toBe(false);
    expect(children.filter((pid) => startTimeOf(pid) !== undefined)).toEqual([]);
    expect(readRecords(layout)).toEqual([]);
  });
});

describe('waitUntilReady', () => {
  it('shows the last log lines of a process that dies while starting', async () => {
    const running = run('app', `console.log('cannot open the door'); process.exit(3)`);
    const never = () => Promise.reject(new Error('not yet'));
    await expect(waitUntilReady(running, never, { signal })).rejects.toThrow(
      /app ended with 3 while starting[^]*cannot open the door/,
    );
  });
});

describe('runCommand', () => {
  const node = (script: string) => ({ program: process.execPath, args: ['-e', script] });

  it('forwards the output of the program and returns how it ended', async () => {
    let heard = '';
    const outcome = await runCommand(
      layout,
      'step',
      node(`console.log('hello'); process.exit(4)`),
      {
        echo: (text) => (heard += text),
      },
    );
    expect(heard).toBe('hello\n');
    expect(outcome).toMatchObject({ code: 4, expired: false });
    expect(readRecords(layout)).toEqual([]);
  });

  it('ends a program whose time is over', async () => {
    const expiry = AbortSignal.timeout(100);
    const forever = node(`setInterval(() => {}, 1000)`);
    expect(await runCommand(layout, 'step', forever, { expiry })).toMatchObject({ expired: true });
  });

  it('as mustRun, fails with the end of the log', async () => {
    await expect(
      mustRun(layout, 'step', node(`console.error('disk is full'); process.exit(1)`)),
    ).rejects.toThrow(/step ended with 1[^]*disk is full/);
  });
});

describe('takeLock', () => {
  it('names its holder, and can be taken again after release', () => {
    const first = takeLock(layout.lock);
    expect(takeLock(layout.lock)).toEqual({
      holder: expect.objectContaining({ pid: process.pid }),
    });
    if ('release' in first) first.release();
    expect(lockHolder(layout.lock)).toBeUndefined();
    expect(takeLock(layout.lock)).toHaveProperty('release');
  });

  it('is free again when its holder has died', async () => {
    const takeAndDie = `import('${new URL('./lock.mjs', import.meta.url).href}')
      .then(({ takeLock }) => { takeLock(process.argv[1]); })`;
    const args = ['-e', takeAndDie, layout.lock];
    await mustRun(layout, 'holder', { program: process.execPath, args });
    expect(takeLock(layout.lock)).toHaveProperty('release');
  });
});

describe('together', () => {
  it('stops the others at the first failure, waits for them, and throws that failure', async () => {
    let ended = false;
    const works = together(signal, (both) => [
      Promise.reject(new Error('first')),
      new Promise<void>((resolve) => {
        both.addEventListener('abort', () => {
          ended = true;
          resolve();
        });
      }),
    ]);
    await expect(works).rejects.toThrow('first');
    expect(ended).toBe(true);
  });
});
