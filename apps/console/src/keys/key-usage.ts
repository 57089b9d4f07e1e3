/** Verifications by outcome, as a plot. */
import { GatehouseError } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { plot, type Series } from '../parts/plot.js';
import { time } from '../parts/time.js';
import { type ConsoleVisit } from '../site/pages.js';
import { keysTexts, type KeysTexts } from '../texts/keys.texts.js';

const HOUR_MS = 3_600_000;
const PERIODS = {
  days: { interval: 'day', stepMs: 24 * HOUR_MS, steps: 30 },
  hours: { interval: 'hour', stepMs: HOUR_MS, steps: 24 },
} as const;
export type Period = keyof typeof PERIODS;

/** Outcomes that are no fault of the caller; all others but `valid` are. */
const KINDS: Readonly<Record<string, Series['kind']>> = {
  valid: 'good',
  rate_limited: 'warning',
  credits_exhausted: 'warning',
  expired: 'quiet',
  revoked: 'quiet',
  paused: 'quiet',
};

/** Counts by step and outcome. */
export type Usage = readonly {
  readonly time: string;
  readonly counts: ReadonlyMap<string, number>;
}[];

/** @returns undefined while the service reads too many counts */
export async function usageOf(
  { gatehouse }: ConsoleVisit,
  filter: string,
  period: Period,
): Promise<Usage | undefined> {
  const { interval, stepMs, steps } = PERIODS[period];
  const fromMs = (Math.floor(Date.now() / stepMs) + 1 - steps) * stepMs;
  const from = new Date(fromMs).toISOString();
  try {
    const query = { filter, interval, from, group_by: 'outcome', page_size: 1_000 } as const;
    const { usage } = await gatehouse.usage.list(query);
    return Array.from({ length: steps }, (_, step) => {
      const time = new Date(fromMs + step * stepMs).toISOString();
      const points = usage.filter((point) => point.time === time);
      return {
        time,
        counts: new Map(points.map((each) => [each.outcome ?? '', Number(each.count)])),
      };
    });
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 503) return undefined;
    throw error;
  }
}

export function usagePlot({ frame }: ConsoleVisit, usage: Usage | undefined, period: Period): Html {
  const texts = keysTexts(frame.language);
  if (usage === undefined) return markup`<p class="empty">${texts.usageBusy}</p>`;
  const outcomes = [...new Set(usage.flatMap(({ counts }) => [...counts.keys()]))];
  outcomes.sort((a, b) => Number(b === 'valid') - Number(a === 'valid'));
  return plot(frame, {
    label: `${texts.usage}, ${texts[period]}`,
    series: outcomes.map((outcome) => ({
      name: outcomeText(texts, outcome),
      kind: KINDS[outcome] ?? 'bad',
    })),
    points: usage.map(({ time: at, counts }) => ({
      head: time(frame, at),
      values: outcomes.map((outcome) => counts.get(outcome) ?? 0),
    })),
    empty: texts.nothing,
  });
}

/** @param outcome of usage, or an error code of a verification */
export function outcomeText({ outcomes }: KeysTexts, outcome: string): string {
  const name = outcome.replace('VERIFICATION_ERROR_', '').toLowerCase();
  return outcomes[name as keyof typeof outcomes] ?? name;
}
