import { RequestPacer } from './request-pacer.js';

it('lets directories take turns', async () => {
  const pacer = new RequestPacer(10);
  const order: string[] = [];
  const ask = (directory: string) => pacer.turn(directory).then(() => order.push(directory));
  await Promise.all(Array.from({ length: 100 }, () => pacer.turn('burst')));
  await Promise.all(['large', 'large', 'large', 'small', 'large', 'small'].map(ask));
  expect(order).toEqual(['large', 'small', 'large', 'small', 'large', 'large']);
});

it('keeps to the rate once the burst is used up', async () => {
  const pacer = new RequestPacer(200);
  // The bucket fills while the burst is sent, so its time counts.
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 2_040 }, () => pacer.turn('a')));
  expect(performance.now() - startedAt).toBeGreaterThan(190);
});

it('forgets a request whose signal is aborted', async () => {
  const pacer = new RequestPacer(10);
  await Promise.all(Array.from({ length: 100 }, () => pacer.turn('a')));
  const abort = new AbortController();
  const waiting = pacer.turn('a', abort.signal);
  abort.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(pacer.turn('a', abort.signal)).rejects.toThrow('stopped');
  await pacer.turn('a');
});
