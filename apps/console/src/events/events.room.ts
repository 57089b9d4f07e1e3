/** Events, as they were logged and delivered. */
import { type Html, markup } from '@gatehouse/pages';
import { actButton } from '../parts/forms.js';
import { facts } from '../parts/table.js';
import { badge, code, copyable, link, section } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { deliveriesTable } from '../webhooks/deliveries.table.js';
import {
  endpointPath,
  eventPath,
  type EventRecord,
  requireId,
  sourceOf,
} from '../webhooks/webhook-source.js';

const EVENT = '/events/:source/:id';
const KINDS = { delivered: 'good', pending: 'warning', dead: 'bad', not_sent: 'quiet' } as const;

export function eventsRoom(pages: Pages): void {
  pages.show(EVENT, showPage);
  pages.act(`${EVENT}/resend`, async (visit, form) => {
    const source = sourceOf(visit);
    const id = requireId(visit.params['id']);
    const endpoint_id = form.get('endpoint_id') ?? undefined;
    await source.events.resend({ id, endpoint_id });
    // From the list of an endpoint, back to that.
    const path = endpoint_id ? endpointPath(source.id, endpoint_id) : eventPath(source.id, id);
    return { path, done: 'sent' };
  });
}

async function showPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, params } = visit;
  const texts = webhooksTexts(frame.language);
  const source = sourceOf(visit);
  const event = await source.events.get({ id: requireId(params['id']) });
  const { state, attempts, ...payload } = event;
  const path = `${eventPath(source.id, event.id)}/resend`;
  return {
    title: event.event,
    section: 'webhooks',
    trail: [{ path: '/webhooks', text: texts.endpoints }],
    content: markup`<div id="deliveries" data-live="5"><p class="lead">${badge(KINDS[state], texts.eventStates[state])}</p>
${section(
  texts.deliveries,
  deliveriesTable(frame, {
    rows: attempts,
    other: {
      head: texts.endpoint,
      cell: ({ endpoint_id: id }) => link(frame, endpointPath(source.id, id), code(id)),
    },
  }),
)}</div>
${can(visit, source.scope) && markup`<div class="acts">${actButton(frame, { path, button: texts.resend })}</div>`}
${facts([
  [texts.time, time(frame, event.created_at)],
  [texts.id, copyable(frame, event.id)],
  [texts.about, subjectLink(frame, source.id, event)],
])}
${section(texts.payload, markup`<pre translate="no" tabindex="0">${JSON.stringify(payload, null, 2)}</pre>`)}`,
  };
}

/** A link to the key, identity, user or group of an event. */
function subjectLink(frame: ConsoleFrame, source: string, event: EventRecord): Html | undefined {
  const data: Readonly<Record<string, unknown>> = event.data;
  const to = (path: string, name: string) => {
    const id = data[name];
    return typeof id === 'string' ? link(frame, `${path}/${id}`, code(id)) : undefined;
  };
  if (source === 'keys') return to('/keys', 'key_id');
  if (source === 'identities') return to('/forms/identities', 'identity_id');
  const isGroup = /^group\.(?:created|updated|deleted)$/.test(event.event);
  return to(`/directories/${source}/${isGroup ? 'groups' : 'users'}`, 'id');
}
