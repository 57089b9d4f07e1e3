import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { type Aim, type Machine, type Report, type RowResult, type SideResult } from './types.js';

/** Of the table of rates, on the terminal and in docs/performance.md. */
export const HEADER = [
  '',
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'MB',
  'ratio',
  'by CPU',
  'aim',
  '',
];

/** The results as a table: one line for each side, the ratio on the subject's. */
export function formatTable(results: readonly RowResult[], reference = '(floor)'): string {
  const rates = [HEADER, ...results.flatMap((result) => linesOf(result, reference))];
  const tables = [rates, eachTable(results)].filter((lines) => lines.length > 0);
  return tables.map(aligned).join('\n\n');
}

/** What each unit takes, by side; empty where no row counts it. */
export function eachTable(results: readonly RowResult[]): string[][] {
  const labeled = results.flatMap(({ name, floor, subject, series }) => [
    ...[floor, subject].map((side) => ({ label: `${name}: ${side?.name}`, of: side?.median })),
    ...(series?.points ?? []).map(({ x, median }) => ({
      label: `${name}: ${formatNumber(x)}`,
      of: median,
    })),
  ]);
  const sides = labeled.flatMap(({ label, of }) => (of?.each ? { label, each: of.each } : []));
  const names = [...new Set(sides.flatMap(({ each }) => Object.keys(each)))];
  const lines = sides.map(({ label, each }) => [
    label,
    ...names.map((column) => (each[column] === undefined ? '' : formatNumber(each[column]))),
  ]);
  return lines.length === 0 ? [] : [['each', ...names], ...lines];
}

function aligned(lines: readonly string[][]): string {
  const [header = []] = lines;
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  // Words are on the left: the names, and the aim and the verdict of rates.
  const isText = (column: number) => column === 0 || (header === HEADER && column >= 8);
  return lines
    .map((line) =>
      widths
        .map((width, column) => {
          const cell = line[column] ?? '';
          return isText(column) ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Writes `.local/bench/<name>.json` and returns its path. */
export function writeReport(
  root: string,
  name: string,
  found: Pick<Report, 'name' | 'title' | 'note' | 'isPlotted' | 'conditions' | 'rows'>,
): string {
  const path = pathOf(root, name);
  mkdirSync(dirname(path), { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const commit = ask('git', ['-C', root, 'rev-parse', '--short', 'HEAD']).output.trim();
  const report = { ...found, date, commit, machine: machine() };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

/** The newest report of a benchmark. */
export function readReport(root: string, name: string): Report {
  return JSON.parse(readFileSync(pathOf(root, name), 'utf8')) as Report;
}

function pathOf(root: string, name: string): string {
  return join(root, '.local', 'bench', `${name}.json`);
}

function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

function linesOf(result: RowResult, reference: string): string[][] {
  const { name, unit, value, floorValue, subject, floor, series } = result;
  const lines = [[name]];
  const verdict = [formatAim(result.aim), formatReached(result.reached)];
  const ratios = [result.ratio, result.cpuRatio].map((ratio) => ratio?.toFixed(3) ?? '');
  for (const [index, { x, median }] of series?.points.entries() ?? []) {
    const isLast = index + 1 === series?.points.length;
    const label = `  ${formatNumber(x)} ${series?.axis}`;
    lines.push([label, ...figures({ median }, unit), ...(isLast ? [...ratios, ...verdict] : [])]);
  }
  if (floorValue !== undefined) {
    lines.push([`  measured ${reference}`, `${formatNumber(floorValue)} ${unit}`]);
  }
  if (value !== undefined) {
    lines.push([
      '  measured',
      `${formatNumber(value)} ${unit}`,
      '',
      '',
      '',
      '',
      '',
      '',
      ...verdict,
    ]);
  }
  if (floor) lines.push([`  ${floor.name} ${reference}`, ...figures(floor, unit)]);
  if (subject) {
    lines.push([`  ${subject.name}`, ...figures(subject, unit), ...ratios, ...verdict]);
  }
  return lines;
}

function figures({ median }: Pick<SideResult, 'median'>, unit: string): string[] {
  return [
    `${formatNumber(median.ratePerSecond)} ${unit}`,
    median.p50Ms.toPrecision(3),
    median.p99Ms.toPrecision(3),
    formatKnown(median.cpuMicrosPerUnit),
    formatKnown(median.residentMb),
  ];
}

export function formatNumber(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));
}

/** Empty for a figure that the system does not report. */
export function formatKnown(value: number | undefined): string {
  return value === undefined ? '' : formatNumber(value);
}

export function formatAim(aim: Aim = {}): string {
  const { ratio, cpuRatio, ratePerSecond, atMost, atLeast } = aim;
  return [
    ratio === undefined ? [] : `>= ${Number(ratio.toPrecision(3))}`,
    cpuRatio === undefined ? [] : `>= ${Number(cpuRatio.toPrecision(3))} by CPU`,
    ratePerSecond === undefined ? [] : `>= ${formatNumber(ratePerSecond)}/s`,
    atMost === undefined ? [] : `<= ${formatNumber(atMost)}`,
    atLeast === undefined ? [] : `>= ${formatNumber(atLeast)}`,
  ]
    .flat()
    .join(', ');
}

function formatReached(reached: boolean | undefined): string {
  return reached === undefined ? '' : reached ? 'reached' : 'MISSED';
}
