import { Semaphore, SemaphorePerKey } from './semaphore.js';

const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};
const refusal = () => new Error('refused');

it('as many as allowed work at once, and the others follow in their order', async () => {
  const semaphore = new Semaphore({ max: 2, waitMsMax: 60_000 });
  const gates = Array.from({ length: 5 }, gate);
  const begun: number[] = [];
  const all = gates.map(({ opened }, n) =>
    semaphore.run(() => {
      begun.push(n);
      return opened;
    }),
  );
  expect(begun).toEqual([0, 1]);
  for (const [n, { open }] of gates.entries()) {
    open();
    await all[n];
  }
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(semaphore.isIdle).toBe(true);
});

it('work that waits too long is refused, and never runs', async () => {
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

it('work is refused at once while as many wait as may', async () => {
  const semaphore = new Semaphore({ max: 1, waitMsMax: 60_000, waitingMax: 1, refusal });
  const { open, opened } = gate();
  const first = semaphore.run(() => opened);
  const second = semaphore.run(() => Promise.resolve('second'));
  await expect(semaphore.run(() => Promise.resolve())).rejects.toThrow('refused');
  open();
  await first;
  expect(await second).toBe('second');
});

it('work that fails frees its place', async () => {
  const semaphore = new Semaphore({ max: 1 });
  await expect(semaphore.run(() => Promise.reject(new Error('fault')))).rejects.toThrow('fault');
  expect(semaphore.isIdle).toBe(true);
});

it('work with one key does not wait for that of another', async () => {
  const semaphores = new SemaphorePerKey({ max: 1, waitMsMax: 60_000, refusal });
  const { open, opened } = gate();
  const begun: string[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return opened;
  };
  const all = [
    semaphores.run('a', work('a1')),
    semaphores.run('a', work('a2')),
    semaphores.run('b', work('b1')),
  ];
  expect(begun).toEqual(['a1', 'b1']);
  open();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});
