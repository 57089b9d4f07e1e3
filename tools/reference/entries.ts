/** What the reference says of operations, schemas and errors, whether in a page or in a text. */
import {
  type ApiDocument,
  type Endpoint,
  nameOf,
  type Operation,
  type Response,
  type Schema,
} from './document.js';
import { type Field, fieldOf, fieldsOf, textOf, typeOf } from './fields.js';
import { contentOf } from './operations.js';
import { json } from './printed.js';

/** Texts are Markdown of one line: code between backticks, and links within the page. */
export type Block =
  | { readonly heading: string }
  | { readonly text: string }
  | { readonly fields: readonly Field[] }
  | Example;

export interface Example {
  readonly label: string;
  readonly language: string;
  readonly code: string;
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly samples?: readonly Example[];
}

export function operationEntry(
  { method, path, operation }: Endpoint,
  document: ApiDocument,
): Entry {
  const { operationId, summary, description, parameters = [] } = operation;
  const name = operation['x-client-name'];
  const client = name === undefined ? '' : `, in the client \`${name}\``;
  const blocks: Block[] = [{ text: `\`${method} ${path}\`${client}` }];
  if (description !== undefined) blocks.push({ text: description });
  blocks.push({ text: credentials(operation) });
  if (parameters.length > 0) {
    blocks.push({ heading: 'Parameters' }, { fields: parameters.map(fieldOf) });
  }
  const samples = operation['x-codeSamples']?.map(({ lang, label, source }) => ({
    label,
    language: lang.toLowerCase(),
    code: source,
  }));
  blocks.push(...body(operation, document), ...responses(operation));
  return { id: operationId, title: summary, blocks, samples };
}

function credentials({ security }: Operation): string {
  const schemes = security.flatMap((choice) => Object.keys(choice));
  const links = schemes.map((scheme) => `[\`${scheme}\`](#credential-${scheme})`);
  return links.length === 0 ? 'Needs no credential.' : `Credential: ${links.join(' or ')}.`;
}

function body({ requestBody }: Operation, { components }: ApiDocument): Block[] {
  const content = contentOf(requestBody);
  if (content === undefined) return [];
  const { schema } = content;
  const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref);
  const fields = fieldsOf((name === undefined ? undefined : components.schemas[name]) ?? schema);
  const types = Object.keys(requestBody?.content ?? {}).map((type) => `\`${type}\``);
  const whole = fields.length === 0 ? `: ${typeOf(schema)}` : '';
  return [{ heading: 'Body' }, { text: types.join(', ') + whole }, { fields }];
}

function responses({ responses }: Operation): Block[] {
  const errors: string[] = [];
  const blocks: Block[] = [];
  for (const [status, response] of Object.entries(responses)) {
    const { $ref } = response;
    const label = status === 'default' ? 'others' : status;
    if ($ref === undefined) blocks.push({ heading: `Response ${label}` }, ...message(response));
    else errors.push(`[${label}](#error-${nameOf($ref)})`);
  }
  return errors.length === 0 ? blocks : [...blocks, { text: `Errors: ${errors.join(', ')}.` }];
}

function message(response: Response): Block[] {
  const content = contentOf(response);
  if (content === undefined) return [{ text: response.description }];
  const { type, schema, example } = content;
  const text = `${response.description} \`${type}\`: ${envelope(schema)}`;
  if (example === undefined) return [{ text }];
  return [{ text }, { label: 'Example', language: 'json', code: json(example) }];
}

/** The type, with the members of an object that has no name. */
function envelope(schema: Schema): string {
  const { properties } = schema;
  if (properties === undefined) return typeOf(schema);
  const members = Object.entries(properties).map(([name, member]) => `${name}: ${typeOf(member)}`);
  return members.join('; ');
}

export function schemaEntry([name, schema]: [string, Schema]): Entry {
  const fields = fieldsOf(schema);
  const type = fields.length === 0 ? typeOf(schema) : '';
  const text = `${type} ${textOf(schema)}`.trim();
  return { id: `schema-${name}`, title: name, blocks: [{ text }, { fields }] };
}

export function errorEntry([name, response]: [string, Response]): Entry {
  const [title = 'Others'] = /\d{3}/.exec(name) ?? [];
  return { id: `error-${name}`, title, blocks: message(response) };
}

/** The schemas to which a value refers, and those to which they refer. */
export function schemasOf(value: unknown, { components }: ApiDocument): [string, Schema][] {
  const names = new Set<string>();
  const collect = (each: unknown) => {
    for (const [, name = ''] of JSON.stringify(each).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      collect(components.schemas[name]);
    }
  };
  collect(value);
  return Object.entries(components.schemas).filter(([name]) => names.has(name));
}
