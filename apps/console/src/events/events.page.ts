/** The event logs of the services. */
import { type Html, markup } from '@gatehouse/pages';
import { LOGGED_IDENTITY_EVENTS, LOGGED_KEY_EVENTS } from '@gatehouse/schemas';
import { filterForm, selectField, textField } from '../parts/forms.js';
import { pathWith, table } from '../parts/table.js';
import { code, link } from '../parts/text.js';
import { time, utcOfField } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit } from '../site/pages.js';
import { eventsTexts } from '../texts/events.texts.js';
import { siteTexts } from '../texts/site.texts.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { eventPath, requireId } from '../webhooks/webhook-source.js';

const LENGTH = 50;
/** How far back the list begins by default. */
const RECENT_MS = 86_400_000;
/** Those of directories are not listed by type. */
const TYPES = new Map<string, readonly string[]>([
  ['keys', LOGGED_KEY_EVENTS],
  ['identities', LOGGED_IDENTITY_EVENTS],
]);

interface LoggedEvent {
  readonly id: string;
  readonly event: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of events of directories. */
  readonly directory_id?: string;
}

interface Filter {
  readonly source: string;
  readonly type: string | undefined;
  /** As a field of the form has it. */
  readonly from: string;
  readonly after: string | undefined;
}

export async function eventsPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, query } = visit;
  const texts = eventsTexts(frame.language);
  const webhooks = webhooksTexts(frame.language);
  const source = query.get('source') || firstSource(visit);
  const type = TYPES.get(source)?.find((each) => each === query.get('type'));
  const recent = new Date(Date.now() - RECENT_MS).toISOString().slice(0, 16);
  const from = query.get('from') || recent;
  const filter = { source, type, from, after: query.get('after') || undefined };
  const { events, next } = await list(visit, filter);
  return {
    title: texts.title,
    section: 'webhooks',
    trail: [{ path: '/webhooks', text: webhooks.title }],
    content: markup`<p class="lead">${texts.lead}</p>
${filters(frame, filter)}
${table(frame, {
  caption: texts.title,
  rows: events,
  empty: texts.empty,
  columns: [
    {
      head: texts.type,
      cell: ({ event, id, directory_id }) =>
        link(frame, eventPath(directory_id ?? source, id), code(event)),
    },
    { head: webhooks.at, cell: ({ created_at }) => time(frame, created_at) },
    { head: texts.about, cell: (event) => subjectLink(frame, event) },
  ],
})}
${next && markup`<p class="pager">${link(frame, pathWith('/events', { source, type, from, after: next }), siteTexts(frame.language).next)}</p>`}`,
  };
}

function filters(frame: ConsoleFrame, { source, type, from }: Filter): Html {
  const texts = eventsTexts(frame.language);
  const types = TYPES.get(source);
  const sources: Record<string, string> = { [source]: source, ...texts.sources };
  const { all } = siteTexts(frame.language);
  return filterForm(
    frame,
    '/events',
    markup`${selectField({ name: 'source', label: texts.source, value: source, choices: Object.entries(sources) })}
${types && selectField({ name: 'type', label: texts.type, value: type, choices: [['', all], ...types.map((each) => [each, each] as const)] })}
${textField({ name: 'from', label: texts.from, type: 'datetime-local', value: from })}`,
  );
}

function firstSource(visit: ConsoleVisit): string {
  if (can(visit, 'keys:read')) return 'keys';
  return can(visit, 'dsync:read') ? 'directories' : 'identities';
}

/** The oldest first. @returns also where the next page begins; a page of one type may be short */
async function list(
  { gatehouse }: ConsoleVisit,
  { source, type, from, after }: Filter,
): Promise<{ events: readonly LoggedEvent[]; next: string | undefined }> {
  if (source === 'keys' || source === 'identities') {
    const page = { page_size: LENGTH, page_token: after, type, from_time: utcOfField(from) };
    const { events, next_page_token: next } = await gatehouse[source].events.list(page);
    return { events, next };
  }
  const directoryId = source === 'directories' ? undefined : requireId(source);
  const start = after === undefined ? { fromTime: utcOfField(from) } : { after };
  const events = await gatehouse.directories.events.list({ directoryId, limit: LENGTH, ...start });
  return { events, next: events.length < LENGTH ? undefined : events.at(-1)?.id };
}

/** A link to the key, identity, user or group of an event. */
export function subjectLink(frame: ConsoleFrame, event: LoggedEvent): Html | undefined {
  const { data, directory_id: directory } = event;
  const to = (path: string, id: unknown) =>
    typeof id === 'string' ? link(frame, `${path}/${encodeURIComponent(id)}`, code(id)) : undefined;
  if (directory === undefined) {
    return to('/keys', data['key_id']) ?? to('/forms/identities', data['identity_id']);
  }
  const isGroup = /^group\.(?:created|updated|deleted)$/.test(event.event);
  return to(`/directories/${directory}/${isGroup ? 'groups' : 'users'}`, data['id']);
}
