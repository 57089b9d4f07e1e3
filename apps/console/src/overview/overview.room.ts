/** What needs a person now, and how the services are doing. */
import { type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { scimPlot } from '../directories/scim-usage.js';
import { plot } from '../parts/plot.js';
import { table } from '../parts/table.js';
import { link, number, section, written } from '../parts/text.js';
import { duration, time } from '../parts/time.js';
import { type ConsoleFrame } from '../site/console-frame.js';
import { can, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { overviewTexts } from '../texts/overview.texts.js';
import { siteTexts } from '../texts/site.texts.js';
import { type Installation, NEEDS_MAX, readInstallation } from './installation.js';
import { byHour, increasedRefusals, type Usage } from './verifications.js';

/** More are in the list behind the link. */
const NAMES_SHOWN = 5;

export function overviewRoom(pages: Pages): void {
  pages.show('/', async (visit) => {
    const { frame } = visit;
    const texts = overviewTexts(frame.language);
    const installation = await readInstallation(visit);
    return {
      title: siteTexts(frame.language).overview,
      section: 'overview',
      content: markup`<div id="needs" data-live="60">${needsPart(frame, installation)}</div>
${can(visit, 'keys:read') && section(texts.verifications, verificationsPlot(frame, installation.hours))}
${can(visit, 'dsync:read') && section(directoriesTexts(frame.language).scimRequests, scimPlot(frame, installation.scimUsage))}
${section(texts.oldest, oldestPlot(frame, installation))}`,
    };
  });
}

interface Need {
  readonly text: string;
  /** The list of all of them. */
  readonly path: string;
  readonly count: number;
  readonly names: readonly HtmlPart[];
}

function needsPart(frame: ConsoleFrame, installation: Installation): Html {
  const texts = overviewTexts(frame.language);
  const needs = needsOf(frame, installation).filter(({ count }) => count > 0);
  const { missing } = installation;
  const countText = (count: number) =>
    count > NEEDS_MAX ? `> ${number(frame, NEEDS_MAX)}` : number(frame, count);
  const list = table(frame, {
    caption: texts.needs,
    rows: needs,
    empty: missing.length > 0 ? texts.nothingElse : texts.allIsWell,
    columns: [
      { head: texts.what, cell: ({ text, path }) => link(frame, path, text) },
      { head: texts.count, cell: ({ count }) => countText(count), isNumber: true },
      {
        head: texts.which,
        cell: ({ names }) => names.slice(0, NAMES_SHOWN).map((name) => markup`${name}<br>`),
      },
    ],
  });
  return markup`${missing}${section(texts.needs, list)}`;
}

function needsOf(frame: ConsoleFrame, installation: Installation): Need[] {
  const texts = overviewTexts(frame.language);
  const { held, faulty, quiet, endpoints, expiring, minutes, hours } = installation;
  const refusals = increasedRefusals(minutes, hours);
  const percent = (rate: number) =>
    new Intl.NumberFormat(frame.language, { style: 'percent' }).format(rate);
  return [
    {
      text: texts.held,
      path: '/directories?state=held',
      count: held.length,
      names: held.map(({ id, name }) => link(frame, `/directories/${id}/runs`, written(name))),
    },
    {
      text: texts.endpoints,
      path: '/webhooks',
      count: endpoints.length,
      names: endpoints.map(
        ({ source, id, url, failing_since: since }) =>
          markup`${link(frame, `/webhooks/${source}/${id}`, written(url))} ${since !== null && markup`<small>${texts.since} ${time(frame, since)}</small>`}`,
      ),
    },
    {
      text: texts.faulty,
      path: '/directories?has_errors=true',
      count: faulty.length,
      names: faulty.map(({ id, name }) => link(frame, `/directories/${id}`, written(name))),
    },
    {
      text: texts.quiet,
      path: '/directories?quiet=true',
      count: quiet.length,
      names: quiet.map(({ id, name }) => link(frame, `/directories/${id}`, written(name))),
    },
    {
      text: texts.expiring,
      path: '/keys',
      count: expiring.length,
      names: expiring.map(
        ({ key_id: id, name, expire_time: at }) =>
          markup`${link(frame, `/keys/${id}`, written(name))} <small>${time(frame, at)}</small>`,
      ),
    },
    {
      text: texts.refusals,
      path: '/keys',
      count: refusals?.refused ?? 0,
      names: refusals ? [texts.rates(percent(refusals.rate), percent(refusals.dayRate))] : [],
    },
  ];
}

function verificationsPlot(frame: ConsoleFrame, hours: Usage): Html {
  const texts = overviewTexts(frame.language);
  return plot(frame, {
    label: texts.verifications,
    series: [
      { name: texts.accepted, kind: 'good' },
      { name: texts.limited, kind: 'warning' },
      { name: texts.refused, kind: 'bad' },
    ],
    points: byHour(hours).map(({ hour, values }) => ({ head: time(frame, hour), values })),
    empty: texts.noVerifications,
  });
}

function oldestPlot(frame: ConsoleFrame, { waiting }: Installation): Html {
  const texts = overviewTexts(frame.language);
  return plot(frame, {
    label: texts.oldest,
    series: [{ name: texts.oldestAge, kind: 'warning' }],
    points: waiting.map(({ source, id, url, age }) => ({
      head: link(frame, `/webhooks/${source}/${id}`, written(url)),
      values: [age],
    })),
    format: duration,
    empty: texts.noneWaits,
  });
}
