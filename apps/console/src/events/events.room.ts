/** Events, as they were logged and delivered. */
import { markup } from '@gatehouse/pages';
import { actButton } from '../parts/forms.js';
import { facts } from '../parts/table.js';
import { badge, code, copyable, link, section } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { eventsTexts } from '../texts/events.texts.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { deliveriesTable } from '../webhooks/deliveries.table.js';
import { endpointPath, eventPath, requireId, sourceOf } from '../webhooks/webhook-source.js';
import { eventsPage, subjectLink } from './events.page.js';

const EVENT = '/events/:source/:id';
const KINDS = { delivered: 'good', pending: 'warning', dead: 'bad', not_sent: 'quiet' } as const;

export function eventsRoom(pages: Pages): void {
  pages.show('/events', eventsPage);
  pages.show(EVENT, eventPage);
  pages.act(`${EVENT}/resend`, async (visit, form) => {
    const source = sourceOf(visit);
    const id = requireId(visit.params['id']);
    await source.events.resend({ id, endpoint_id: form.get('endpoint_id') ?? undefined });
    return { path: eventPath(source.id, id), done: 'event-resent' };
  });
}

async function eventPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, params } = visit;
  const texts = eventsTexts(frame.language);
  const webhooks = webhooksTexts(frame.language);
  const source = sourceOf(visit);
  const event = await source.events.get({ id: requireId(params['id']) });
  const { state, attempts, ...payload } = event;
  const path = `${eventPath(source.id, event.id)}/resend`;
  return {
    title: event.event,
    section: 'webhooks',
    trail: [{ path: `/events?source=${source.id}`, text: texts.title }],
    content: markup`<div id="deliveries" data-live="5"><p class="lead">${badge(KINDS[state], texts.states[state])}</p>
${section(
  webhooks.deliveries,
  deliveriesTable(frame, {
    rows: attempts,
    other: {
      head: texts.endpoint,
      cell: ({ endpoint_id: id }) => link(frame, endpointPath(source.id, id), code(id)),
    },
  }),
)}</div>
${can(visit, source.scope) && markup`<div class="acts">${actButton(frame, { path, button: webhooks.resend })}</div>`}
${facts([
  [webhooks.at, time(frame, event.created_at)],
  [texts.id, copyable(frame, event.id)],
  [texts.about, subjectLink(frame, event)],
])}
${section(texts.payload, markup`<pre translate="no" tabindex="0">${JSON.stringify(payload, null, 2)}</pre>`)}`,
  };
}
