/** How often a key was used, as a plot and as a table. */
import { attributes, type Html, type Language, markup, utcDay } from '@gatehouse/pages';
import { type UsagePoint } from '../keys/usage-reports/usage-queries.js';
import { portalTexts } from './texts/texts.js';

export const USAGE_DAYS = 30;
const DAY_MS = 86_400_000;
/** In units of the picture, which has the width of the page. */
const PICTURE = { width: 600, height: 120, gap: 4 };

export interface DayOfUsage {
  time: Date;
  accepted: number;
  refused: number;
}

/** Today and the days before it, in UTC. */
export function usageRange(now = Date.now()): { fromMs: number; toMs: number } {
  const toMs = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS;
  return { fromMs: toMs - USAGE_DAYS * DAY_MS, toMs };
}

/** Each day of the range, also without counts. @param points by day and outcome */
export function daysOfUsage(
  points: readonly UsagePoint[],
  { fromMs }: { fromMs: number },
): DayOfUsage[] {
  const days = Array.from({ length: USAGE_DAYS }, (_, index) => ({
    time: new Date(fromMs + index * DAY_MS),
    accepted: 0,
    refused: 0,
  }));
  for (const { time, outcome, count } of points) {
    const day = days[Math.floor((Date.parse(time) - fromMs) / DAY_MS)];
    if (day) day[outcome === 'valid' ? 'accepted' : 'refused'] += Number(count);
  }
  return days;
}

export function usagePart(language: Language, days: readonly DayOfUsage[]): Html {
  const texts = portalTexts(language);
  const highest = Math.max(...days.map(({ accepted, refused }) => accepted + refused));
  if (highest === 0) {
    return markup`<h2>${texts.usageTitle(USAGE_DAYS)}</h2><p>${texts.usageNone}</p>`;
  }
  const number = new Intl.NumberFormat(language);
  const rows = days
    .filter(({ accepted, refused }) => accepted + refused > 0)
    .map(
      ({ time, accepted, refused }) =>
        markup`<tr><th scope="row">${dayOf(language, time)}</th><td>${number.format(accepted)}</td><td>${number.format(refused)}</td></tr>`,
    );
  return markup`<h2>${texts.usageTitle(USAGE_DAYS)}</h2>
<figure class="usage">${plot(days, highest, texts.usageLabel(number.format(highest)))}
<figcaption><span class="accepted" aria-hidden="true">■</span> ${texts.usageAccepted} <span class="refused-count" aria-hidden="true">■</span> ${texts.usageRefused}</figcaption></figure>
<details class="usage"><summary>${texts.usageTable}</summary><table>
<thead><tr><th scope="col">${texts.usageDay}</th><th scope="col">${texts.usageAccepted}</th><th scope="col">${texts.usageRefused}</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
}

function plot(days: readonly DayOfUsage[], highest: number, label: string): Html {
  const { width, height, gap } = PICTURE;
  const step = width / days.length;
  const bars = days.map(({ accepted, refused }, index) => {
    const bar = (kind: string, below: number, count: number) => {
      if (count === 0) return undefined;
      // One request among many is still to be seen.
      const tall = Math.max(1, (count / highest) * height);
      const y = height - (below / highest) * height - tall;
      const box = { x: index * step, y, width: step - gap, height: tall };
      return markup`<rect${attributes({ class: kind, ...rounded(box) })}></rect>`;
    };
    return [bar('accepted', 0, accepted), bar('refused-count', accepted, refused)];
  });
  const axis = { x1: 0, x2: width, y1: height, y2: height };
  return markup`<svg role="img" viewBox="0 -2 ${width} ${height + 4}"${attributes({ 'aria-label': label })}>${bars}<line${attributes(axis)}></line></svg>`;
}

const rounded = (box: Record<string, number>) =>
  Object.fromEntries(Object.entries(box).map(([name, value]) => [name, value.toFixed(1)]));

function dayOf(language: Language, time: Date): Html {
  return markup`<time${attributes({ datetime: time.toISOString().slice(0, 10) })}>${utcDay(language, time)}</time>`;
}
