/** docs/performance.md: the figures of all benchmarks of one run. */
import { eachTable, formatAim, formatNumber } from './report.js';
import { type Machine, type Report, type Round, type RowResult } from './types.js';

const HEADER = ['', 'per second', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'by CPU', 'aim', ''];

export function performancePage(reports: readonly Report[]): string {
  const missed = reports.flatMap(({ rows }) => rows.filter(({ reached }) => reached === false));
  const sections = reports.flatMap(sectionOf);
  const markdown = [
    '# Performance',
    '',
    '<!-- Written by `npm run bench -- all`. -->',
    '',
    ...new Set(reports.map(({ machine }) => `Measured with ${machineText(machine)}.`)),
    '',
    'A rate says more about the machine than about the code. What counts are the **ratios** to a floor',
    'that was measured in the same run, in turn: by rate, and by processor time for each unit, which other',
    'programs on the machine disturb less. [bench/README.md](../bench/README.md) describes the floors and the',
    'way of measuring.',
    '',
    missed.length === 0
      ? 'Every aim was reached.'
      : `Aims that were missed: ${missed.map(({ name }) => `_${name}_`).join(', ')}.`,
    '',
    ...sections,
  ].join('\n');
  return `${markdown.trimEnd()}\n`;
}

function sectionOf(report: Report): string[] {
  const { name, title, note, conditions, rows, commit, date } = report;
  const rates = [HEADER, ...rows.flatMap(linesOf)];
  return [
    `## ${title}`,
    '',
    `\`npm run bench -- ${name}\` at commit \`${commit}\` on ${date}: ${conditions}.`,
    '',
    ...markdownTable(rates),
    ...markdownTable(eachTable(rows)),
    ...limitsOf(rows),
    ...(note === undefined ? [] : [note, '']),
  ];
}

function markdownTable([header, ...lines]: string[][]): string[] {
  if (header === undefined) return [];
  const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
  return [...[header, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`), ''];
}

/** Why aims are missed. */
function limitsOf(rows: readonly RowResult[]): string[] {
  const limits = rows.flatMap(({ name, reached, limit }) =>
    reached === false && limit !== undefined ? [`- _${name}_: ${limit}`] : [],
  );
  return limits.length > 0 ? [...limits, ''] : [];
}

function machineText({ cpu, cores, memoryGiB, node }: Machine): string {
  return `${cpu ?? 'an unknown processor'}, ${cores} cores, ${memoryGiB} GiB and Node.js ${node}`;
}

function linesOf(row: RowResult): string[][] {
  const { name, unit, value, subject, floor, series } = row;
  const verdict = [
    ...[row.ratio, row.cpuRatio].map((ratio) => ratio?.toFixed(3) ?? ''),
    formatAim(row.aim).replaceAll('>=', '≥').replaceAll('<=', '≤'),
    row.reached === false ? '**missed**' : '',
  ];
  const none = ['', '', '', ''];
  if (value !== undefined) {
    return [[`**${name}**`, `${formatNumber(value)} ${unit}`, '', '', '', ...verdict]];
  }
  if (series !== undefined) {
    return series.points.map(({ x, median }, index) => [
      index === 0 ? `**${name}**: ${formatNumber(x)} ${series.axis}` : formatNumber(x),
      ...figures(unit, median),
      ...(index + 1 === series.points.length ? verdict : none),
    ]);
  }
  const lines = [[`**${name}**: ${subject?.name}`, ...figures(unit, subject?.median), ...verdict]];
  if (floor) lines.push([`floor: ${floor.name}`, ...figures(unit, floor.median), ...none]);
  return lines;
}

function figures(unit: string, median: Round | undefined): string[] {
  if (median === undefined) return ['', '', '', ''];
  const { ratePerSecond, p50Ms, p99Ms, cpuMicrosPerUnit } = median;
  const numbers = [p50Ms, p99Ms, cpuMicrosPerUnit];
  return [
    `${formatNumber(ratePerSecond)} ${unit}`,
    ...numbers.map((number) => (number === undefined ? '' : formatNumber(number))),
  ];
}
