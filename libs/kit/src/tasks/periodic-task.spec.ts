import { eventually } from '@gatehouse/testing';
import { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';

const started: PeriodicTask[] = [];
const warnings: unknown[][] = [];
const logger = { warn: (...line: unknown[]) => void warnings.push(line) };

function task(options: Partial<PeriodicTaskOptions>): PeriodicTask {
  const made = new PeriodicTask({
    run: () => Promise.resolve(),
    intervalMs: 1,
    logger,
    failureMessage: 'the run failed',
    ...options,
  });
  started.push(made);
  return made;
}

/** A promise and the function that resolves it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

beforeEach(() => {
  warnings.length = 0;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((made) => made.stop()));
});

describe('a periodic task', () => {
  it('runs again and again after it is started', async () => {
    let runs = 0;
    task({ run: () => Promise.resolve(void runs++) }).start();
    expect(runs).toBe(0);
    await eventually(() => expect(runs).toBeGreaterThan(2));
  });

  it('waits firstAfterMs for the first run and intervalMs between runs', async () => {
    let runs = 0;
    const run = () => Promise.resolve(void runs++);
    task({ run, firstAfterMs: 1, intervalMs: 3_600_000 }).start();
    await eventually(() => expect(runs).toBe(1));
    let otherRuns = 0;
    task({ run: () => Promise.resolve(void otherRuns++) }).start();
    await eventually(() => expect(otherRuns).toBeGreaterThan(5));
    expect(runs).toBe(1);
  });

  it('never runs twice at a time', async () => {
    let atOnce = 0;
    let most = 0;
    let runs = 0;
    const run = async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 3));
      atOnce -= 1;
      runs += 1;
    };
    task({ run }).start();
    await eventually(() => expect(runs).toBeGreaterThan(3));
    expect(most).toBe(1);
  });

  it('logs a failed run and goes on', async () => {
    const fault = new Error('no connection');
    let runs = 0;
    const run = () => {
      runs += 1;
      return runs === 1 ? Promise.reject(fault) : Promise.resolve();
    };
    task({ run }).start();
    await eventually(() => expect(runs).toBeGreaterThan(1));
    expect(warnings).toEqual([[{ err: fault }, 'the run failed']]);
  });

  it('logs a run that throws before it returns a promise, too', async () => {
    const run = () => {
      throw new Error('at once');
    };
    task({ run }).start();
    await eventually(() => expect(warnings.length).toBeGreaterThan(1));
  });

  it('aborts the signal of the current run on stop, and awaits its end', async () => {
    const begun = gate();
    const end = gate();
    let runs = 0;
    let isDone = false;
    let signal: AbortSignal | undefined;
    const made = task({
      run: async (given) => {
        runs += 1;
        signal = given;
        begun.open();
        await end.opened;
        isDone = true;
      },
    });
    made.start();
    await begun.opened;
    expect(signal?.aborted).toBe(false);
    const stopped = made.stop();
    expect(signal?.aborted).toBe(true);
    expect(isDone).toBe(false);
    end.open();
    await stopped;
    expect(isDone).toBe(true);
    expect(runs).toBe(1);
  });

  it('does not run after stop, and may be stopped without a start', async () => {
    let runs = 0;
    const run = () => Promise.resolve(void runs++);
    const stopped = task({ run });
    stopped.start();
    await stopped.stop();
    await task({ run }).stop();
    let otherRuns = 0;
    task({ run: () => Promise.resolve(void otherRuns++) }).start();
    await eventually(() => expect(otherRuns).toBeGreaterThan(3));
    expect(runs).toBe(0);
  });
});
