import { FairShare } from './fair-share.js';

const fill = (share: FairShare, holder: string) => {
  let count = 0;
  while (share.take(holder)) count += 1;
  return count;
};

it('gives half of all to one holder alone, and leaves the rest for others', () => {
  const share = new FairShare(100);
  expect(fill(share, 'greedy')).toBe(50);
  expect(fill(share, 'late')).toBe(25);
  for (let index = 0; index < 10; index += 1) expect(fill(share, 'greedy')).toBe(0);
  expect(share.take('later still')).toBe(true);
});

it('gives again what was given back', () => {
  const share = new FairShare(10);
  expect(fill(share, 'a')).toBe(5);
  for (let index = 0; index < 5; index += 1) share.giveBack('a');
  expect(fill(share, 'b')).toBe(5);
});
