/** The audit events of all services as one list, the newest first. */
import { type Gatehouse, GatehouseError } from '@gatehouse/client';
import { type ControlScope } from '@gatehouse/schemas';
import { filterOf } from '../parts/filter.js';
import { can, type ConsoleVisit } from '../site/pages.js';

export const AUDIT_SOURCES = ['keys', 'directories', 'forms'] as const;
export type AuditSource = (typeof AUDIT_SOURCES)[number];

export const EVENTS_SHOWN = 50;
const SCOPES = {
  keys: 'keys:read',
  directories: 'dsync:read',
  forms: 'forms:read',
} as const satisfies Record<AuditSource, ControlScope>;
/** In place of a position, after the last event of a service. */
const END = 'end';
const KEY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface AuditFilter {
  readonly type?: string;
  readonly caller?: string;
  /** The id of a record, or an actor. */
  readonly target?: string;
}

/** An event of any service. */
export interface AuditEntry {
  readonly source: AuditSource;
  readonly event_id: string;
  readonly type: string;
  readonly caller: string;
  readonly ip: string;
  readonly create_time: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The id of the key or of the record; '' without one. */
  readonly target: string;
  readonly actor_id?: string;
}

/** Where the events of each service continue. */
export type Positions = Readonly<Partial<Record<AuditSource, string>>>;

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Undefined after the last page. */
  readonly next?: Positions;
  readonly unavailable: readonly AuditSource[];
}

interface Part {
  readonly entries: readonly AuditEntry[];
  /** The position of an event of `entries`. */
  readonly positionAt: (index: number) => string;
  readonly isUnavailable?: boolean;
}

/** @throws GatehouseError if a service refuses the filter or a position */
export async function readAuditLog(
  visit: ConsoleVisit,
  filter: AuditFilter,
  positions: Positions,
): Promise<AuditPage> {
  const sources = AUDIT_SOURCES.filter(
    (source) => can(visit, SCOPES[source]) && positions[source] !== END,
  );
  const parts = await Promise.all(
    sources.map(async (source) => ({
      source,
      ...(await partOf(visit.gatehouse, source, filter, positions[source] ?? '')),
    })),
  );
  const entries = parts
    .flatMap((part) => part.entries)
    .sort((one, other) => (one.event_id < other.event_id ? 1 : -1))
    .slice(0, EVENTS_SHOWN);
  const next = parts.map(({ source, positionAt }) => {
    const shown = entries.filter((each) => each.source === source).length;
    return [source, positionAt(shown)] as const;
  });
  const ended = AUDIT_SOURCES.filter((source) => !sources.includes(source)).map(
    (source) => [source, END] as const,
  );
  const isLast = entries.length === 0 || next.every(([, position]) => position === END);
  return {
    entries,
    next: isLast ? undefined : Object.fromEntries([...next, ...ended]),
    unavailable: parts.filter(({ isUnavailable }) => isUnavailable).map(({ source }) => source),
  };
}

/** A service that cannot be reached has no events for now, and continues where it was. */
async function partOf(
  gatehouse: Gatehouse,
  source: AuditSource,
  filter: AuditFilter,
  position: string,
): Promise<Part> {
  try {
    return source === 'directories'
      ? await eventsOfDirectories(gatehouse, filter, Number(position))
      : await eventsByToken(listOf(gatehouse, source, filter), position);
  } catch (error) {
    const isUnavailable = error instanceof GatehouseError && error.status >= 500;
    if (!isUnavailable) throw error;
    return { entries: [], positionAt: () => position, isUnavailable };
  }
}

async function eventsOfDirectories(
  { directories }: Gatehouse,
  { target, ...filter }: AuditFilter,
  offset: number,
): Promise<Part> {
  const events = await directories.auditEvents.list({
    ...filter,
    targetId: target,
    pageOffset: offset,
    pageLimit: EVENTS_SHOWN,
  });
  const isLast = events.length < EVENTS_SHOWN;
  return {
    entries: events.map((event) => ({ ...event, source: 'directories', target: event.target_id })),
    positionAt: (index) => (isLast && index === events.length ? END : `${offset + index}`),
  };
}

interface TokenPage {
  readonly entries: readonly AuditEntry[];
  readonly next: string;
}
type ListPage = (token: string) => Promise<TokenPage>;

function listOf(
  { keys, identities }: Gatehouse,
  source: 'keys' | 'forms',
  { target, ...filter }: AuditFilter,
): ListPage {
  if (source === 'forms') {
    return async (token) => {
      const query = { ...filter, target_id: target, page_token: token, page_size: EVENTS_SHOWN };
      const { audit_events: events, next_page_token: next } =
        await identities.auditEvents.list(query);
      return {
        entries: events.map((event) => ({ ...event, source, target: event.target_id })),
        next,
      };
    };
  }
  const subject = KEY_ID.test(target ?? '') ? { key_id: target } : { actor_id: target };
  return async (token) => {
    const { audit_events: events, next_page_token: next } = await keys.auditEvents.list({
      filter: filterOf({ ...filter, ...subject }),
      page_token: token,
      page_size: EVENTS_SHOWN,
    });
    return { entries: events.map((event) => ({ ...event, source, target: event.key_id })), next };
  };
}

/** Tokens are between pages, so a position is the number of events that were shown after a token, and the token. */
async function eventsByToken(list: ListPage, position: string): Promise<Part> {
  const [, skipped = '0', token = ''] = /^(\d{1,3})\.(.*)$/.exec(position) ?? [];
  const page = await list(token);
  const entries = page.entries.slice(Number(skipped));
  const second =
    entries.length < EVENTS_SHOWN && page.next !== '' ? await list(page.next) : undefined;
  return {
    entries: [...entries, ...(second?.entries ?? [])],
    positionAt: (index) => {
      if (index < entries.length) return `${Number(skipped) + index}.${token}`;
      const after = index - entries.length;
      if (after < (second?.entries.length ?? 0)) return `${after}.${page.next}`;
      const next = second ? second.next : page.next;
      return next === '' ? END : `0.${next}`;
    },
  };
}
