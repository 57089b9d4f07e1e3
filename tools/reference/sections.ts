/** The operations of each tag, and their Markdown, which has the schemas that they use. */
import { type ApiDocument, type Endpoint, type Tag } from './document.js';
import { type Block, type Entry, operationEntry, schemaEntry, schemasOf } from './entries.js';
import { type Field } from './fields.js';
import { endpointsOf } from './operations.js';

export interface Section {
  /** Of its heading on the page. */
  readonly id: string;
  /** Of its Markdown. */
  readonly file: string;
  readonly tag: Tag;
  readonly endpoints: readonly Endpoint[];
}

export function sectionsOf(document: ApiDocument): Section[] {
  const endpoints = endpointsOf(document);
  return document.tags.map((tag) => {
    const id = tag.name.toLowerCase().replace(/\W+/g, '-');
    const own = endpoints.filter(({ operation }) => operation.tags[0] === tag.name);
    return { id, file: `reference/${id}.md`, tag, endpoints: own };
  });
}

export function sectionText({ tag, endpoints }: Section, document: ApiDocument): string {
  const schemas = schemasOf(endpoints, document);
  return `${[
    `# ${tag.name}`,
    `${tag.description} Addresses are those of the admin surface.`,
    ...endpoints.map((endpoint) => entryText(operationEntry(endpoint, document), '##')),
    ...(schemas.length === 0 ? [] : ['## Schemas']),
    ...schemas.map((each) => entryText(schemaEntry(each), '###')),
  ].join('\n\n')}\n`;
}

function entryText({ title, blocks, samples = [] }: Entry, level: string): string {
  const texts = [...blocks, ...samples].map((block) => blockText(block, level));
  return [`${level} ${title}`, ...texts.filter((text) => text !== '')].join('\n\n');
}

function blockText(block: Block, level: string): string {
  if ('heading' in block) return `#${level} ${block.heading}`;
  if ('text' in block) return plain(block.text);
  if ('fields' in block) return rows(block.fields, '');
  return `\`\`\`${block.language}\n${block.code}\n\`\`\``;
}

function rows(fields: readonly Field[], indent: string): string {
  return fields
    .map(({ name, type, isRequired, text, fields: inner }) => {
      const kind = `${plain(type)}${isRequired ? ', required' : ''}`;
      const row = `${indent}- \`${name}\` (${kind})${text === '' ? '' : `: ${text}`}`;
      return inner.length === 0 ? row : `${row}\n${rows(inner, `${indent}  `)}`;
    })
    .join('\n');
}

/** Without the links, which lead to parts of the page. */
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\(#[^)]*\)/g, '$1');
}
