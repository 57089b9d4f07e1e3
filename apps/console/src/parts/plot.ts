/** Counts as bars, with a table behind them. */
import { attributes, type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { type ConsoleFrame } from '../site/console-frame.js';
import { siteTexts } from '../texts/site.texts.js';
import { number } from './text.js';

/** In units of the picture, which has the width of its place. */
const PICTURE = { width: 600, height: 120, gap: 3 };
const HOUR_MS = 3_600_000;
const HOURS = 24;

export interface Series {
  readonly name: string;
  readonly kind: 'good' | 'bad' | 'warning' | 'quiet';
}

export interface PlotOptions {
  /** What is counted, and how long. */
  readonly label: string;
  readonly series: readonly Series[];
  /** What each bar is about, and a value for each series. */
  readonly points: readonly { readonly head: HtmlPart; readonly values: readonly number[] }[];
  /** A value in words; a number by default. */
  readonly format?: (frame: ConsoleFrame, value: number) => string;
  /** What stands in place of a plot without values. */
  readonly empty: string;
}

export function plot(frame: ConsoleFrame, options: PlotOptions): Html {
  const { label, series, points, format = number, empty } = options;
  const highest = Math.max(0, ...points.map(({ values }) => sum(values)));
  if (highest === 0) return markup`<p class="empty">${empty}</p>`;
  const legend = series.map(
    ({ name, kind }) =>
      markup`<span${attributes({ class: `series ${kind}` })}><span aria-hidden="true">■</span> ${name}</span> `,
  );
  const rows = points
    .filter(({ values }) => sum(values) > 0)
    .map(
      (point) =>
        markup`<tr><th scope="row">${point.head}</th>${point.values.map((value) => markup`<td class="number">${format(frame, value)}</td>`)}</tr>`,
    );
  return markup`<figure class="plot">${bars(series, points, highest, `${label}: ${format(frame, highest)}`)}
<figcaption>${legend}</figcaption></figure>
<details class="plot"><summary>${siteTexts(frame.language).asTable}</summary><div class="table" role="region" tabindex="0"${attributes({ 'aria-label': label })}><table>
<thead><tr><td></td>${series.map(({ name }) => markup`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

/** The starts of the last 24 hours, RFC 3339; the last one has begun. */
export function lastHours(): string[] {
  const lastMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) =>
    new Date(lastMs - (HOURS - 1 - index) * HOUR_MS).toISOString(),
  );
}

function bars(
  series: PlotOptions['series'],
  points: PlotOptions['points'],
  highest: number,
  label: string,
): Html {
  const { width, height, gap } = PICTURE;
  const step = width / points.length;
  const rectangles = points.map(({ values }, index) => {
    let top = height;
    return values.map((value, which) => {
      if (value === 0) return undefined;
      // One among many is still to be seen.
      const tall = Math.max(1.5, (value / highest) * height);
      top -= tall;
      return markup`<rect${attributes({
        class: series[which]?.kind,
        x: (index * step).toFixed(1),
        y: top.toFixed(1),
        width: Math.max(1, step - gap).toFixed(1),
        height: tall.toFixed(1),
      })}></rect>`;
    });
  });
  return markup`<svg role="img" viewBox="0 -4 ${width} ${height + 6}"${attributes({ 'aria-label': label })}>${rectangles}<line x1="0"${attributes({ x2: width, y1: height, y2: height })}></line></svg>`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
