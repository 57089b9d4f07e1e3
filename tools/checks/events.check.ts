/** Keeps docs/events.md equal to the event catalogs; UPDATE_SNAPSHOTS=1 writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DIRECTORY_EVENT_CATALOG,
  type EventCatalog,
  type EventChannel,
  IDENTITY_EVENT_CATALOG,
  KEY_EVENT_CATALOG,
} from '@gatehouse/schemas';
import { workspace } from '#local-stack/layout.mjs';
import { markdownTable } from '../test-run/markdown-table.js';

interface Schema {
  const?: string;
  enum?: string[];
  type?: string;
  format?: string;
  description?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

const PAGE = join(workspace, 'docs/events.md');
const INTRODUCTION = `# Events

Every event that Gatehouse sends as a [webhook](webhooks.md), with its fields. Programs read the same
from each service, without a credential: \`GET /events/catalogue.json\` is a JSON Schema with a definition
for each type, and \`GET /events/asyncapi.json\` an AsyncAPI 3 document. On the admin surface of the
gateway, these paths start with the name of the service, such as \`/dsync-api/events/catalogue.json\`.

Every event has \`event\` (its type), \`data\`, \`id\` (the same for every delivery), \`sequence\` (ascending
for its source, with gaps) and \`created_at\`. A source is a directory, the key service or identity forms;
numbers of two sources say nothing about each other. Only \`webhook.ping\`, which tests an endpoint, has no
\`sequence\`; the \`data\` of a ping is the \`endpoint_id\`. Fields in _italics_ are not always present.
Later versions may add types and fields.

The catalogs in \`libs/schemas\` are the source of this page. To update it, run
\`UPDATE_SNAPSHOTS=1 npm test -- --tier checks --filter events\`.
`;
const CATALOGS: readonly EventCatalog[] = [
  KEY_EVENT_CATALOG,
  DIRECTORY_EVENT_CATALOG,
  IDENTITY_EVENT_CATALOG,
];
const ENVELOPE = new Set(['event', 'data', 'id', 'sequence', 'created_at']);

it('docs/events.md lists the events of all catalogs', () => {
  const channels = CATALOGS.flatMap((catalog) => Object.values(catalog.channels));
  const page = INTRODUCTION + channels.map(sectionOf).join('');
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    writeFileSync(PAGE, page);
  }
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

function sectionOf({ title, description, events }: EventChannel): string {
  const types = Object.entries(events);
  const summaries = types.map(([type, { summary }]) => [`\`${type}\``, summary]);
  const rowsOf = new Map(types.map(([type, { schema }]) => [type, fieldRows(schema)]));
  const [first = [], ...others] = rowsOf.values();
  const shared = new Set(first.filter((row) => others.every((rows) => rows.includes(row))));
  const groups = new Map<string, string[]>();
  for (const [type, rows] of rowsOf) {
    const own = rows.filter((row) => !shared.has(row)).join('\n');
    if (own !== '') groups.set(own, [...(groups.get(own) ?? []), `\`${type}\``]);
  }
  return [
    `\n## ${title}\n\n${description}\n\n`,
    markdownTable([['Type', 'Sent when'], ...summaries]),
    shared.size > 0 ? `\nEach has:\n\n${fieldTable([...shared])}` : '',
    ...[...groups].map(
      ([rows, names]) => `\n${listOf(names)}${more(shared)}:\n\n${fieldTable(rows.split('\n'))}`,
    ),
  ].join('');
}

const more = ({ size }: ReadonlySet<string>) => (size > 0 ? ', in addition' : '');

function fieldTable(rows: readonly string[]): string {
  return markdownTable([
    ['Field', 'Value', 'Meaning'],
    ...rows.map((row) => JSON.parse(row) as string[]),
  ]);
}

/** The rows of the fields of an event, each as JSON, so that they can be compared. */
function fieldRows(event: Schema): string[] {
  const { data, ...properties } = event.properties ?? {};
  const around = Object.entries(properties).filter(([name]) => !ENVELOPE.has(name));
  const within = Object.entries(data?.properties ?? {});
  return [
    ...around.map(([name, schema]) => rowOf(name, schema, event.required?.includes(name))),
    ...within.map(([name, schema]) =>
      rowOf(`data.${name}`, schema, data?.required?.includes(name)),
    ),
  ].map((row) => JSON.stringify(row));
}

function rowOf(name: string, schema: Schema, isRequired = false): string[] {
  const field = isRequired ? `\`${name}\`` : `_\`${name}\`_`;
  return [field, valueOf(schema), schema.description ?? ''];
}

function valueOf({
  const: constant,
  enum: names,
  type = '',
  format = '',
  ...more
}: Schema): string {
  if (constant !== undefined) return `\`${constant}\``;
  if (names !== undefined) return names.map((name) => `\`${name}\``).join(', ');
  if (more.anyOf) return more.anyOf.map(valueOf).join(' or ');
  if (type === 'array') return `list of ${valueOf(more.items ?? {})}s`;
  return { uuid: 'UUID', 'date-time': 'time' }[format] ?? { string: 'text' }[type] ?? type;
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
