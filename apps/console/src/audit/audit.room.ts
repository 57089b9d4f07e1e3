/** Who changed what, in all services. */
import { markup } from '@gatehouse/pages';
import { filterForm, textField } from '../parts/forms.js';
import { pathWith, table } from '../parts/table.js';
import { code, link, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { auditTexts } from '../texts/audit.texts.js';
import { pathOfActor, targetOf } from './audit-links.js';
import {
  AUDIT_SOURCES,
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
  readAuditLog,
} from './audit-log.js';

const PATH = '/audit';
const FILTER_CHARACTERS_MAX = 255;
const POSITION_CHARACTERS_MAX = 2_500;
const DETAILS_CHARACTERS_MAX = 300;

export function auditRoom(pages: Pages): void {
  pages.show(PATH, async (visit) => {
    const { query } = visit;
    const read = (name: string, max: number) => query.get(name)?.trim().slice(0, max) || undefined;
    const filter = {
      type: read('type', FILTER_CHARACTERS_MAX),
      caller: read('caller', FILTER_CHARACTERS_MAX),
      target: read('target', FILTER_CHARACTERS_MAX),
    };
    const positions = Object.fromEntries(
      AUDIT_SOURCES.map((source) => [source, read(source, POSITION_CHARACTERS_MAX)]),
    );
    return auditPage(visit, filter, await readAuditLog(visit, filter, positions));
  });
}

function auditPage(
  { frame }: ConsoleVisit,
  filter: AuditFilter,
  { entries, next, unavailable }: AuditPage,
): Page {
  const texts = auditTexts(frame.language);
  const fields = (['type', 'caller', 'target'] as const).map((name) =>
    textField({ name, label: texts[name], value: filter[name] }),
  );
  const callerOf = ({ caller, details }: AuditEntry) => {
    const actorId = details['caller_actor_id'];
    const id = link(frame, pathWith(PATH, { caller }), code(caller));
    return typeof actorId === 'string'
      ? markup`${link(frame, pathOfActor(actorId), written(actorId))}<br><small>${id}</small>`
      : id;
  };
  const targetCell = (entry: AuditEntry) => {
    const { name, path } = targetOf(entry);
    return path === undefined ? written(name) : link(frame, path, written(name));
  };
  const list = table(frame, {
    caption: texts.audit,
    rows: entries,
    empty: texts.empty,
    next: next && pathWith(PATH, { ...filter, ...next }),
    columns: [
      { head: texts.time, cell: (entry) => time(frame, entry.create_time) },
      { head: texts.type, cell: ({ type }) => code(type) },
      { head: texts.caller, cell: callerOf },
      { head: texts.target, cell: targetCell },
      { head: texts.details, cell: ({ details }) => written(detailsText(details)) },
      { head: texts.address, cell: ({ ip }) => ip },
    ],
  });
  return {
    title: texts.audit,
    section: 'audit',
    content: markup`${filterForm(frame, PATH, fields)}
${unavailable.map((source) => markup`<p class="done" role="status">${texts.unavailable(texts[source])}</p>`)}
${list}`,
  };
}

/** What an event has besides what other columns show. */
function detailsText({ caller_actor_id: _, ...details }: AuditEntry['details']): string {
  const parts = Object.entries(details).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return parts.join(', ').slice(0, DETAILS_CHARACTERS_MAX);
}
