/** One endpoint: whether it works, why not, and what became of its last events. */
import { type ParkedEvent, type WebhookTest } from '@gatehouse/client';
import { attributes, type Html, markup } from '@gatehouse/pages';
import { actButton } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { buttonLink, code, copyable, link, number, section, written } from '../parts/text.js';
import { duration, time } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit } from '../site/pages.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { deliveriesTable } from './deliveries.table.js';
import { isPausedByHand, stateBadge, stateSentence } from './endpoint-state.js';
import {
  type Endpoint,
  endpointPath,
  eventPath,
  requireId,
  sourceOf,
  type WebhookSource,
} from './webhook-source.js';

const LENGTH = 20;

/** @param test the result of a test that was just made */
export async function endpointPage(visit: ConsoleVisit, test?: WebhookTest): Promise<Page> {
  const { frame, query, params } = visit;
  const texts = webhooksTexts(frame.language);
  const source = sourceOf(visit);
  const id = requireId(params['id']);
  const pageOf = (name: string) => ({
    id,
    page_size: LENGTH,
    page_token: query.get(name) ?? undefined,
  });
  const [endpoint, status, attempts, parked] = await Promise.all([
    source.endpoints.get({ id }),
    source.endpoints.status({ id }),
    source.endpoints.attempts(pageOf('attempts')),
    source.endpoints.parkedEvents(pageOf('parked')),
  ]);
  const nextOf = (name: string, token: string) =>
    token === '' ? undefined : pathWith(endpointPath(source.id, id), { [name]: token });
  const { pending, oldest_pending_age_seconds: age, dead } = status;
  return {
    title: titleOf(frame, endpoint),
    section: 'webhooks',
    trail: [{ path: '/webhooks', text: texts.endpoints }],
    content: markup`<div id="state" data-live="5"><p class="lead">${stateBadge(frame, endpoint)}<br>${stateSentence(frame, endpoint)}</p>
${facts([
  [texts.pending, number(frame, pending)],
  [texts.oldest, age === null ? undefined : duration(frame, age)],
  [texts.parked, number(frame, dead)],
])}</div>
${test && testLine(frame, test)}
${can(visit, source.scope) && acts(frame, source, endpoint)}
<div id="deliveries" data-live="10">${section(
      texts.deliveries,
      deliveriesTable(frame, {
        rows: attempts.attempts,
        next: nextOf('attempts', attempts.next_page_token),
        other: {
          head: texts.event,
          cell: ({ event_id: event }) => link(frame, eventPath(source.id, event), code(event)),
        },
      }),
    )}</div>
${section(
  texts.parked,
  parkedTable(visit, source, {
    rows: parked.parked_events,
    next: nextOf('parked', parked.next_page_token),
  }),
)}
${section(texts.settings, settings(frame, source, endpoint))}`,
  };
}

export function titleOf({ language }: ConsoleFrame, { url }: Endpoint): string {
  return webhooksTexts(language).endpointAt(new URL(url).host);
}

function testLine(
  { language }: ConsoleFrame,
  { delivered, status_code, error }: WebhookTest,
): Html {
  const texts = webhooksTexts(language);
  return markup`<p${attributes({ class: delivered ? 'done' : 'faults', role: 'status' })}>${
    delivered ? texts.testDelivered : texts.testFailed
  } ${written(error ?? String(status_code))}</p>`;
}

function acts(frame: ConsoleFrame, { id: source }: WebhookSource, endpoint: Endpoint): Html {
  const texts = webhooksTexts(frame.language);
  const path = (act: string) => endpointPath(source, endpoint.id, act);
  return markup`<div class="acts">${buttonLink(frame, path('replay'), texts.replay)}
${actButton(frame, { path: path('test'), button: texts.test })}
${endpoint.state !== 'healthy' && actButton(frame, { path: path('resume'), button: texts.resume })}
${!isPausedByHand(endpoint) && actButton(frame, { path: path('pause'), button: texts.pause })}
${buttonLink(frame, path('rotate'), texts.rotateSecret)}</div>`;
}

function parkedTable(
  visit: ConsoleVisit,
  source: WebhookSource,
  { rows, next }: { rows: readonly ParkedEvent[]; next: string | undefined },
): Html {
  const { frame, params } = visit;
  const texts = webhooksTexts(frame.language);
  const onlyHere = markup`<input type="hidden" name="endpoint_id"${attributes({ value: params['id'] })}>`;
  return table(frame, {
    caption: texts.parked,
    rows,
    next,
    empty: texts.noParked,
    columns: [
      {
        head: texts.event,
        cell: ({ event_id: id }) => link(frame, eventPath(source.id, id), code(id)),
      },
      { head: texts.reason, cell: ({ reason }) => written(reason) },
      { head: texts.time, cell: ({ parked_at }) => time(frame, parked_at) },
      {
        head: '',
        cell: ({ event_id: id }) =>
          can(visit, source.scope) &&
          actButton(frame, {
            path: `${eventPath(source.id, id)}/resend`,
            button: texts.resend,
            content: onlyHere,
          }),
      },
    ],
  });
}

function settings(frame: ConsoleFrame, { id: source }: WebhookSource, endpoint: Endpoint): Html {
  const texts = webhooksTexts(frame.language);
  const { none, all, yes, no } = texts;
  const { url, id, types, header_names: headers, logs_attempts } = endpoint;
  const isService = source === 'keys' || source === 'identities';
  const owner = isService ? texts[source] : link(frame, `/directories/${source}`, code(source));
  return facts([
    [texts.address, copyable(frame, url)],
    [texts.id, copyable(frame, id)],
    [texts.source, owner],
    [texts.types, types === null ? all : types.join(', ')],
    [texts.headers, headers.length === 0 ? none : headers.join(', ')],
    [texts.logs, logs_attempts ? yes : no],
  ]);
}
