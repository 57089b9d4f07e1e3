/** docs/performance.md: a section for each benchmark, with its figures of the newest run. */
import { plotOf } from './plots.js';
import { eachTable, formatAim, formatKnown, formatNumber, HEADER } from './report.js';
import { type Machine, type Report, type Round, type RowResult } from './types.js';

const BLANK = ['', '', '', ''];
/** A row whose table has a missed aim: in its own line, or in that of a later point of its series. */
const MISSED = /^\| \*\*(.+?)\*\*(?:(?!\n\| \*\*)[^])*?\*\*missed\*\*/gm;

/** `page` with the sections of these reports, in place of those of the same benchmarks. */
export function performancePage(reports: readonly Report[], page = ''): string {
  const [, ...old] = page.split(/^(?=## )/m);
  const sections = new Map(
    old.map((text) => [/`npm run bench -- ([\w-]+)`/.exec(text)?.[1], text.trimEnd()]),
  );
  for (const report of reports) sections.set(report.name, sectionOf(report).join('\n').trimEnd());
  const text = [...sections.values()].join('\n\n');
  const missed = [...text.matchAll(MISSED)].map(([, name]) => `_${name}_`);
  const markdown = [
    '# Performance',
    '',
    '<!-- Written by `npm run bench -- <name> --page`. -->',
    '',
    'A rate says more about the machine than about the code. What counts are the **ratios** to a floor',
    'that was measured in the same run, in turn: by rate, and by processor time for each unit, which other',
    'programs on the machine disturb less. [bench/README.md](../bench/README.md) describes the floors and the',
    'way of measuring.',
    '',
    missed.length === 0 ? 'Every aim was reached.' : `Aims that were missed: ${missed.join(', ')}.`,
    '',
    text,
  ].join('\n');
  return `${markdown.trimEnd()}\n`;
}

function sectionOf(report: Report): string[] {
  const { name, title, note, isPlotted, conditions, rows, commit, date, machine } = report;
  const rates = [HEADER, ...rows.flatMap(linesOf)];
  return [
    `## ${title}`,
    '',
    `\`npm run bench -- ${name}\` at commit \`${commit}\` on ${date}, with ${machineText(machine)}: ${conditions}.`,
    '',
    ...markdownTable(rates),
    ...markdownTable(eachTable(rows)),
    ...limitsOf(rows),
    ...(isPlotted ? rows.flatMap(plotOf) : []),
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
  if (value !== undefined) {
    return [[`**${name}**`, `${formatNumber(value)} ${unit}`, ...BLANK, ...verdict]];
  }
  if (series !== undefined) {
    return series.points.map(({ x, median }, index) => [
      index === 0 ? `**${name}**: ${formatNumber(x)} ${series.axis}` : formatNumber(x),
      ...figures(unit, median),
      ...(index + 1 === series.points.length ? verdict : BLANK),
    ]);
  }
  const lines = [[`**${name}**: ${subject?.name}`, ...figures(unit, subject?.median), ...verdict]];
  if (floor) lines.push([`floor: ${floor.name}`, ...figures(unit, floor.median), ...BLANK]);
  return lines;
}

function figures(unit: string, median: Round | undefined): string[] {
  if (median === undefined) return ['', ...BLANK];
  const { ratePerSecond, p50Ms, p99Ms, cpuMicrosPerUnit, residentMb } = median;
  return [
    `${formatNumber(ratePerSecond)} ${unit}`,
    ...[p50Ms, p99Ms, cpuMicrosPerUnit, residentMb].map(formatKnown),
  ];
}
