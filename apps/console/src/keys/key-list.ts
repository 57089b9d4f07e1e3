/** Lists of keys. */
import { type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { filterOf } from '../parts/filter.js';
import { filterForm, selectField, textField } from '../parts/forms.js';
import { refusalOf } from '../parts/refusal.js';
import { pathWith, table } from '../parts/table.js';
import { buttonLink, code, link, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';
import { type Key, nameOf } from './key-lookup.js';
import { statusBadge } from './key-state.js';

interface ListedKeys<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly empty: HtmlPart;
  readonly next?: string;
  /** In place of the owner, where all keys have the same. */
  readonly why?: (key: Row) => HtmlPart;
}

export function keyTable<Row extends Key>(frame: ConsoleFrame, keys: ListedKeys<Row>): Html {
  const texts = keysTexts(frame.language);
  const { why, ...list } = keys;
  return table(frame, {
    ...list,
    columns: [
      {
        head: texts.name,
        cell: (key) => link(frame, `/keys/${key.key_id}`, written(nameOf(key))),
      },
      { head: texts.key, cell: ({ key_preview: preview }) => preview && code(preview) },
      { head: texts.state, cell: (key) => statusBadge(frame, key) },
      why
        ? { head: texts.reason, cell: why }
        : { head: texts.owner, cell: ({ actor_id: id }) => id && ownerLink(frame, id) },
      { head: texts.expires, cell: ({ expire_time: at }) => time(frame, at) },
      { head: texts.lastUsed, cell: ({ last_used_time: at }) => time(frame, at) },
    ],
  });
}

export function ownerLink(frame: ConsoleFrame, id: string): Html {
  return link(frame, pathWith('/people', { id }), written(id));
}

/** A prefix, 24 characters and the last four: far from a whole secret, which must not be in an address. */
const PREVIEW_CHARACTERS_MAX = 40;

export async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, query } = visit;
  const texts = keysTexts(frame.language);
  const filter = {
    preview: query.get('preview')?.trim() ?? '',
    actor_id: query.get('actor_id')?.trim() ?? '',
    status: query.get('status') ?? '',
    kind: query.get('kind') === 'imported' ? 'imported' : 'issued',
  };
  const { keys = [], next, fault } = await keysOf(visit, filter);
  const issue = pathWith('/keys/new', { actor_id: filter.actor_id });
  return {
    title: texts.keys,
    section: 'keys',
    status: fault === undefined ? 200 : 400,
    content: markup`${can(visit, 'keys:issue') && markup`<div class="acts">${buttonLink(frame, issue, texts.issue)}</div>`}
${filterForm(frame, '/keys', filterFields(frame, filter, fault))}
${keyTable(frame, {
  caption: texts.keys,
  rows: keys,
  empty: texts.empty,
  next: next ? pathWith('/keys', { ...filter, page_token: next }) : undefined,
})}`,
  };
}

type Filter = Readonly<Record<'preview' | 'actor_id' | 'status' | 'kind', string>>;

interface KeyPage {
  readonly keys?: readonly Key[];
  readonly next?: string;
  /** Why the part of a secret was refused. */
  readonly fault?: string;
}

async function keysOf({ gatehouse, query }: ConsoleVisit, filter: Filter): Promise<KeyPage> {
  const { preview, actor_id, status, kind } = filter;
  const key_preview = partOfSecret(preview);
  const page = {
    filter: filterOf({ key_preview, actor_id, status }),
    page_token: query.get('page_token') ?? '',
  };
  try {
    if (kind === 'imported') {
      const { imported_api_keys: keys, next_page_token: next } =
        await gatehouse.importedKeys.list(page);
      return { keys, next };
    }
    const { issued_api_keys: keys, next_page_token: next } = await gatehouse.keys.list(page);
    return { keys, next };
  } catch (error) {
    if (preview === '') throw error;
    return { fault: refusalOf(error) };
  }
}

/** People leave the sign for the rest out. */
function partOfSecret(text: string): string {
  if (text === '' || /…|\.\.\./.test(text)) return text;
  return text.length <= 4 ? `…${text}` : `${text}…`;
}

function filterFields(frame: ConsoleFrame, filter: Filter, fault: string | undefined): Html[] {
  const texts = keysTexts(frame.language);
  const { preview, actor_id: actorId, status, kind } = filter;
  const statuses = Object.entries(texts.statuses).filter(([each]) => !/UNSPECIFIED/.test(each));
  return [
    textField({
      name: 'preview',
      label: texts.key,
      value: preview,
      hint: texts.previewHint,
      fault,
      maxLength: PREVIEW_CHARACTERS_MAX,
    }),
    textField({ name: 'actor_id', label: texts.owner, value: actorId }),
    selectField({
      name: 'status',
      label: texts.state,
      value: status,
      choices: [['', texts.all], ...statuses],
    }),
    selectField({
      name: 'kind',
      label: texts.kind,
      value: kind,
      choices: [
        ['issued', texts.kinds.issued],
        ['imported', texts.kinds.imported],
      ],
    }),
  ];
}
