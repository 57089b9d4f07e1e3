/** Bars of text, which any reader of Markdown shows. */
import { formatNumber } from './report.js';
import { type RowResult, type SideResult } from './types.js';

const WIDTH = 40;

export interface Bar {
  /** The quantity, on the first of its bars. */
  of?: string;
  name: string;
  value: number;
}

/** Both sides of a row: rate, p99, processor time and memory, each on a scale of its own. */
export function plotOf({ name, unit, subject, floor }: RowResult): string[] {
  if (!subject || !floor) return [];
  const figures: [string, (side: SideResult) => number | undefined][] = [
    [`${unit} per second`, ({ median }) => median.ratePerSecond],
    ['p99 ms', ({ median }) => median.p99Ms],
    ['CPU µs', ({ median }) => median.cpuMicrosPerUnit],
    ['MB', ({ median }) => median.residentMb],
  ];
  const groups = figures.map(([of, figure]) =>
    [subject, floor].flatMap((side, index) => {
      const value = figure(side);
      return value === undefined ? [] : [{ of: index === 0 ? of : '', name: side.name, value }];
    }),
  );
  return [`${name}:`, '', ...plot(groups), ''];
}

/** @param groups the bars of a group are on one scale */
export function plot(groups: readonly Bar[][]): string[] {
  const bars = groups.flat();
  const ofWidth = Math.max(...bars.map(({ of = '' }) => of.length));
  const nameWidth = Math.max(...bars.map(({ name }) => name.length));
  const lines = groups.flatMap((group) => {
    const most = Math.max(...group.map(({ value }) => value));
    return group.map(({ of = '', name, value }) => {
      const bar = '█'.repeat(Math.max(1, Math.round((value / most) * WIDTH)));
      return `${of.padEnd(ofWidth)}  ${name.padEnd(nameWidth)}  ${bar} ${formatNumber(value)}`;
    });
  });
  return ['```text', ...lines, '```'];
}
