/** Draws a series as SVG: a logarithmic horizontal axis, a vertical one from zero. */
import { formatNumber } from './report.js';
import { type Round, type Series } from './types.js';

const WIDTH = 640;
const HEIGHT = 280;
const MARGIN = { left: 72, right: 16, top: 40, bottom: 48 };
const TICKS = 4;
const COLOURS = ['#2563eb', '#d97706'];

interface Line {
  label: string;
  valueOf: (round: Round) => number;
}

const LINES: Record<Series['shows'], Line[]> = {
  rate: [{ label: 'requests per second', valueOf: ({ ratePerSecond }) => ratePerSecond }],
  latency: [
    { label: 'p50 ms', valueOf: ({ p50Ms }) => p50Ms },
    { label: 'p99 ms', valueOf: ({ p99Ms }) => p99Ms },
  ],
};

/** @returns the text of an SVG file */
export function plot(title: string, { axis, shows, points }: Series): string {
  const lines = LINES[shows];
  const top = niceCeiling(
    Math.max(...lines.flatMap(({ valueOf }) => points.map(({ median }) => valueOf(median)))),
  );
  const [low, high] = [points[0]?.x ?? 1, points.at(-1)?.x ?? 1];
  const across = Math.log(high / low) || 1;
  const toX = (x: number) =>
    MARGIN.left + (Math.log(x / low) / across) * (WIDTH - MARGIN.left - MARGIN.right);
  const toY = (y: number) =>
    HEIGHT - MARGIN.bottom - (y / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);

  const grid = Array.from({ length: TICKS + 1 }, (_, n) => (top * n) / TICKS).map(
    (value) =>
      `<path d="M${MARGIN.left} ${round(toY(value))}H${WIDTH - MARGIN.right}" stroke="#ddd"/>` +
      text(formatNumber(value), MARGIN.left - 8, toY(value) + 4, 'end'),
  );
  const marks = points.map(({ x }) => text(formatNumber(x), toX(x), HEIGHT - 28, 'middle'));
  const curves = lines.map(({ valueOf }, n) => {
    const places = points.map(({ x, median }) => ({ x: toX(x), y: toY(valueOf(median)) }));
    const path = places.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
    const dots = places.map(
      ({ x, y }) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${COLOURS[n]}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[n]}" stroke-width="2"/>${dots.join('')}`;
  });
  const legend = lines.map(({ label }, n) =>
    text(label, WIDTH - MARGIN.right - n * 80, 20, 'end', COLOURS[n]),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${escape(title)}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    text(title, MARGIN.left, 20, 'start', '#111'),
    ...grid,
    ...marks,
    text(axis, (MARGIN.left + WIDTH - MARGIN.right) / 2, HEIGHT - 8, 'middle'),
    ...curves,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

/** 1, 2 or 5 times a power of ten. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * power >= value) ?? 10) * power;
}

function text(content: string, x: number, y: number, anchor: string, fill = '#555'): string {
  const place = `x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${fill}"`;
  return `<text ${place} font-family="sans-serif" font-size="12">${escape(content)}</text>`;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
