// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/**
 * The result as a table for people: one line a side, the ratio on the subject's.
 *
 * @param {import('./types.mjs').RowResult[]} results
 * @returns {string}
 */
export function formatTable(results) {
  const lines = [['', 'per second', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'by CPU', 'aim', '']];
  for (const result of results) {
    lines.push([result.name]);
    if (result.value !== undefined) {
      const value = `${formatNumber(result.value)} ${result.unit}`;
      lines.push(['  measured', value, '', '', '', '', '', formatAim(result.aim), verdict(result)]);
      continue;
    }
    if (result.floor) lines.push([`  ${result.floor.name} (floor)`, ...figures(result.floor)]);
    if (result.subject) {
      lines.push([
        `  ${result.subject.name}`,
        ...figures(result.subject),
        result.ratio?.toFixed(3) ?? '',
        result.cpuRatio?.toFixed(3) ?? '',
        formatAim(result.aim),
        verdict(result),
      ]);
    }
  }
  const widths = Array.from({ length: 9 }, (_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      widths
        .map((width, column) => {
          const cell = line[column] ?? '';
          return column === 0 || column >= 7 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Writes `.local/bench/<name>.json`, what scripts and later runs compare with.
 *
 * @param {string} root
 * @param {string} name
 * @param {object} report
 * @returns {string} the file's path
 */
export function writeReport(root, name, report) {
  const folder = join(root, '.local', 'bench');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  const machine = {
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  writeFileSync(path, `${JSON.stringify({ name, machine, ...report }, null, 2)}\n`);
  return path;
}

/** @param {import('./types.mjs').SideResult} side */
function figures({ median }) {
  return [
    formatNumber(median.ratePerSecond),
    median.p50Ms.toPrecision(3),
    median.p99Ms.toPrecision(3),
    median.cpuMicrosPerUnit?.toPrecision(3) ?? '',
  ];
}

/** @param {number} value */
function formatNumber(value) {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));
}

/** @param {import('./types.mjs').Aim | undefined} aim */
function formatAim(aim) {
  if (aim === undefined) return '';
  const parts = [];
  if (aim.ratio !== undefined) parts.push(`>= ${Number(aim.ratio.toPrecision(3))}`);
  if (aim.ratePerSecond !== undefined) parts.push(`>= ${formatNumber(aim.ratePerSecond)}/s`);
  if (aim.atMost !== undefined) parts.push(`<= ${formatNumber(aim.atMost)}`);
  if (aim.atLeast !== undefined) parts.push(`>= ${formatNumber(aim.atLeast)}`);
  return parts.join(', ');
}

/** @param {import('./types.mjs').RowResult} result */
function verdict({ reached }) {
  return reached === undefined ? '' : reached ? 'reached' : 'MISSED';
}
