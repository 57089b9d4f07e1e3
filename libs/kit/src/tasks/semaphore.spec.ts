import { Semaphore, Semaphores } from './semaphore.js';

const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};
const refusal = () => new Error('refused');

describe('a semaphore', () => {
  it('lets as many work at once as allowed, and the others follow in their order', async () => {
    const semaphore = new Semaphore({ max: 2, refusal });
    const gates = Array.from({ length: 5 }, gate);
    const begun: number[] = [];
    const all = gates.map(({ opened }, n) =>
      semaphore.run(() => {
        begun.push(n);
        return opened;
      }),
    );
    expect([begun, semaphore.isIdle]).toEqual([[0, 1], false]);
    for (const [n, { open }] of gates.entries()) {
      open();
      await all[n];
    }
    expect([begun, semaphore.isIdle]).toEqual([[0, 1, 2, 3, 4], true]);
  });

  it('refuses what waits too long, and never runs it', async () => {
    const semaphore = new Semaphore({ max: 1, waitMsMax: 5, refusal });
    const { open, opened } = gate();
    const first = semaphore.run(() => opened);
    let ran = 0;
    const late = Array.from({ length: 3 }, () => semaphore.run(() => Promise.resolve((ran += 1))));
    for (const one of late) await expect(one).rejects.toThrow('refused');
    open();
    await first;
    expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next');
    expect(ran).toBe(0);
  });

  it('refuses at once what comes while as many wait as allowed', async () => {
    const semaphore = new Semaphore({ max: 1, waitingMax: 1, refusal });
    const { open, opened } = gate();
    const two = [semaphore.run(() => opened), semaphore.run(() => opened)];
    await expect(semaphore.run(() => opened)).rejects.toThrow('refused');
    open();
    await Promise.all(two);
  });

  it('frees the place of work that fails', async () => {
    const semaphore = new Semaphore({ max: 1, refusal });
    const failing = semaphore.run(() => Promise.reject(new Error('work')));
    await expect(failing).rejects.toThrow('work');
    expect([semaphore.tryTake(), semaphore.tryTake()]).toEqual([true, false]);
    semaphore.release();
    expect(semaphore.isIdle).toBe(true);
  });
});

it('semaphores keep the work of each key apart', async () => {
  const semaphores = new Semaphores({ max: 1, waitingMax: 0, refusal });
  const { open, opened } = gate();
  const first = semaphores.run('a', () => opened);
  await expect(semaphores.run('a', () => opened)).rejects.toThrow('refused');
  expect(await semaphores.run('b', () => Promise.resolve('b'))).toBe('b');
  open();
  await first;
  expect(await semaphores.run('a', () => Promise.resolve('a'))).toBe('a');
});
