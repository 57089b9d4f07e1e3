/** SCIM requests of the last 24 hours by status, as a plot. */
import { type Gatehouse } from '@gatehouse/client';
import { type Html } from '@gatehouse/pages';
import { lastHours, plot } from '../parts/plot.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame } from '../site/console-frame.js';
import { directoriesTexts } from '../texts/directories.texts.js';

const SERIES = [
  { name: '2xx', kind: 'good' },
  { name: '4xx', kind: 'warning' },
  { name: '5xx', kind: 'bad' },
] as const;

export type ScimUsage = Awaited<ReturnType<Gatehouse['directories']['usage']>>;

export function scimPlot(frame: ConsoleFrame, usage: Readonly<ScimUsage>): Html {
  const texts = directoriesTexts(frame.language);
  return plot(frame, {
    label: texts.scimRequests,
    series: SERIES,
    points: lastHours().map((hour) => ({
      head: time(frame, hour),
      values: SERIES.map(
        ({ name }) => usage.find((each) => each.time === hour && each.status === name)?.count ?? 0,
      ),
    })),
    empty: texts.noRequests,
  });
}
