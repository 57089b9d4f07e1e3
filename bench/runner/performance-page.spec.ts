import { performancePage } from './performance-page.js';
import { summarize } from './statistics.js';
import { type Report } from './types.js';

const round = {
  ratePerSecond: 1_234,
  p50Ms: 1.5,
  p99Ms: 9,
  cpuMicrosPerUnit: 410,
  residentMb: 120,
  each: { statements: 11, 'bytes of WAL': 6_600 },
};
const side = (name: string) => summarize(name, [round]);

const reports: Report[] = [
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
];
const page = performancePage(reports);

test('says when, at which commit and on which machine it was measured', () => {
  expect(page).toContain(
    'at commit `abc1234` on 2026-01-02, with A processor, 2 cores, 8 GiB and Node.js v24.0.0: on one core.',
  );
});

test('says what limits a row that misses its aim', () => {
  expect(page).toContain('- _find <a> user_: the index is deep.');
});

test('names the aims that were missed, at the top and in the table', () => {
  expect(page).toContain('Aims that were missed: _find <a> user_.');
  expect(page).toMatch(
    /\| 1,000,000 \| 617 requests .*\| 120 \| 0\.500 .*≥ 0\.9 \| \*\*missed\*\* \|/,
  );
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
      '| find <a> user: 1,000 | 11 | 6,600 |',
      '| find <a> user: 1,000,000 | 11 | 6,600 |',
      '| verify: bare | 11 | 6,600 |',
      '| verify: ours | 11 | 6,600 |',
    ].join('\n'),
  );
  expect(page).toMatch(/Another server took 5 ms\.\n$/);
});

test('keeps the sections of other benchmarks, and the aims that they missed', () => {
  const [report] = reports as [Report];
  const other = performancePage([{ ...report, name: 'other', title: 'Another', rows: [] }], page);
  expect(other).toContain(page.slice(page.indexOf('## As data grows')).trimEnd());
  expect(other).toContain('Aims that were missed: _find <a> user_.');
  expect(other.match(/^## .*$/gm)).toEqual(['## As data grows', '## Another']);
  expect(performancePage(reports, other)).toBe(other);
});

test('draws both sides of a row as bars, each quantity on its own scale', () => {
  const [report] = reports as [Report];
  const ours = summarize('ours', [{ ...round, p99Ms: 36 }]);
  const rows = [{ name: 'verify', unit: 'requests', subject: ours, floor: side('bare') }];
  expect(performancePage([{ ...report, isPlotted: true, rows }])).toContain(
    [
      'verify:',
      '',
      '```text',
      `requests per second  ours  ${'█'.repeat(40)} 1,234`,
      `                     bare  ${'█'.repeat(40)} 1,234`,
      `p99 ms               ours  ${'█'.repeat(40)} 36`,
      `                     bare  ${'█'.repeat(10)} 9`,
      `CPU µs               ours  ${'█'.repeat(40)} 410`,
      `                     bare  ${'█'.repeat(40)} 410`,
      `MB                   ours  ${'█'.repeat(40)} 120`,
      `                     bare  ${'█'.repeat(40)} 120`,
      '```',
    ].join('\n'),
  );
});
