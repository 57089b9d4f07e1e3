import { performancePage } from './performance-page.js';
import { summarize } from './statistics.js';

const round = {
  ratePerSecond: 1_234,
  p50Ms: 1.5,
  p99Ms: 9,
  cpuMicrosPerUnit: 410,
  each: { statements: 11, 'bytes of WAL': 6_600 },
};
const side = (name: string) => summarize(name, [round]);

const page = performancePage([
  {
    date: '2026-01-02',
    commit: 'abc1234',
    machine: { cpu: 'A processor', cores: 2, memoryGiB: 8, node: 'v24.0.0' },
    name: 'growth',
    title: 'As data grows',
    note: 'Another server took 5 ms.',
    conditions: 'on one core',
    rows: [
      {
        name: 'find <a> user',
        unit: 'requests',
        aim: { ratio: 0.9 },
        ratio: 0.5,
        reached: false,
        limit: 'the index is deep.',
        series: {
          axis: 'users',
          points: [
            { x: 1_000, median: round },
            { x: 1_000_000, median: { ...round, ratePerSecond: 617 } },
          ],
        },
      },
      { name: 'verify', unit: 'requests', subject: side('ours'), floor: side('bare'), ratio: 1 },
    ],
  },
]);

test('says when, at which commit and on which machine it was measured', () => {
  expect(page).toContain('Measured with A processor, 2 cores, 8 GiB and Node.js v24.0.0.');
  expect(page).toContain('at commit `abc1234` on 2026-01-02: on one core.');
});

test('says what limits a row that misses its aim', () => {
  expect(page).toContain('- _find <a> user_: the index is deep.');
});

test('names the aims that were missed, at the top and in the table', () => {
  expect(page).toContain('Aims that were missed: _find <a> user_.');
  expect(page).toMatch(/\| 1,000,000 \| 617 requests .* 0\.500 .*≥ 0\.9 \| \*\*missed\*\* \|/);
});

test('has the floor of a row below it', () => {
  expect(page).toMatch(
    /\| \*\*verify\*\*: ours \| 1,234 requests .*\n\| floor: bare \| 1,234 requests/,
  );
});

test('has what each unit takes in a table of its own, and the note below', () => {
  expect(page).toContain(
    [
      '| each | statements | bytes of WAL |',
      '| --- | --: | --: |',
      '| verify: bare | 11 | 6,600 |',
      '| verify: ours | 11 | 6,600 |',
    ].join('\n'),
  );
  expect(page).toMatch(/Another server took 5 ms\.\n$/);
});
