import { Turns } from './turns.js';

const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

it('as many as allowed work at once, and the others follow in their order', async () => {
  const turns = new Turns(2, 60_000);
  const gates = Array.from({ length: 5 }, gate);
  const begun: number[] = [];
  const all = gates.map(({ opened }, n) =>
    turns.run(() => {
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
});

it('whoever waits too long fails, and its work never runs', async () => {
  const turns = new Turns(1, 5);
  const { open, opened } = gate();
  const first = turns.run(() => opened);
  let ran = 0;
  const late = Array.from({ length: 3 }, () => turns.run(() => Promise.resolve((ran += 1))));
  for (const one of late) await expect(one).rejects.toMatchObject({ kind: 'unavailable' });
  open();
  await first;
  expect(await turns.run(() => Promise.resolve('next'))).toBe('next');
  expect(ran).toBe(0);
});
