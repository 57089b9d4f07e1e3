/** The reference as one page of HTML, which needs no script to be read. */
import { attributes, type Html, markup } from '@gatehouse/pages/html';
import { type ApiDocument, type Endpoint } from './document.js';
import {
  type Block,
  type Entry,
  errorEntry,
  operationEntry,
  schemaEntry,
  schemasOf,
} from './entries.js';
import { type Field } from './fields.js';
import { type Section, sectionsOf } from './sections.js';

const USE = `All addresses are those of the admin surface, which serves this page. Commands expect it in
\`GATEHOUSE_URL\`, and a key in \`GATEHOUSE_KEY\`. Ids are variables too: set \`KEY_ID\` to the id of a key that you
have created. Secrets and ids in bodies stand for yours. Calls in TypeScript are those of the client,
\`const gatehouse = createGatehouse();\` of \`@gatehouse/client\`.`;

/** Addresses are relative to `/docs`, so that the page may be below a prefix. */
export function referencePage(document: ApiDocument): string {
  const { info, components } = document;
  const sections = sectionsOf(document);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse API reference</title>
<link rel="stylesheet" href="docs/pages.css">
<link rel="stylesheet" href="docs/reference.css">
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<script type="module" src="docs/reference.js"></script>
</head>
<body>
<nav aria-label="Operations">
<a class="skip" href="#content">Skip to the reference</a>
<search class="needs-script">
<label for="find">Search <kbd>/</kbd></label>
<input id="find" type="search" autocomplete="off" spellcheck="false">
<p id="said" role="status"></p>
</search>
${document['x-tagGroups'].map(
  ({ name, tags }) => markup`<h2>${name}</h2>
${sections.filter(({ tag }) => tags.includes(tag.name)).map(listed)}`,
)}<h2>More</h2>
<ul>
<li><a href="#schemas">Schemas</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="docs/openapi.json">OpenAPI document</a></li>
<li><a href="docs/llms.txt">All pages as Markdown</a></li>
</ul>
</nav>
<main id="content" tabindex="-1">
<h1>Gatehouse API</h1>
<p class="lead">${info.summary}. Version ${info.version}.</p>
<p>${inline(USE)}</p>
<h2>Credentials</h2>
<dl>${Object.entries(components.securitySchemes).map(
    ([name, { description }]) =>
      markup`<dt${attributes({ id: `credential-${name}` })}><code>${name}</code></dt><dd>${inline(description)}</dd>`,
  )}</dl>
${sections.map(
  ({ id, file, tag, endpoints }) => markup`<h2${attributes({ id })}>${tag.name}</h2>
<p>${inline(`${tag.description} [As Markdown](docs/${file})`)}</p>
${endpoints.map((endpoint) => article(operationEntry(endpoint, document)))}`,
)}<h2 id="schemas">Schemas</h2>
${schemasOf(document.paths, document).map(schemaEntry).map(article)}<h2 id="errors">Errors</h2>
${Object.entries(components.responses).map(errorEntry).map(article)}</main>
</body>
</html>
`.text;
}

function listed({ tag, endpoints }: Section): Html {
  return markup`<details><summary>${tag['x-displayName']}</summary>
<ul>
${endpoints.map(item)}</ul>
</details>
`;
}

function item({ method, operation: { operationId, summary } }: Endpoint): Html {
  const badge = markup`<b${attributes({ class: method.toLowerCase() })}>${method}</b>`;
  return markup`<li><a${attributes({ href: `#${operationId}` })}>${badge} ${summary}</a></li>
`;
}

function article({ id, title, blocks, samples }: Entry): Html {
  return markup`<article${attributes({ id })}>
<h3>${title}</h3>
<div>
${blocks.map(blockOf)}</div>
${samples && markup`<div class="samples">${samples.map(blockOf)}</div>`}</article>
`;
}

function blockOf(block: Block): Html {
  if ('heading' in block) return markup`<h4>${block.heading}</h4>`;
  if ('text' in block) return markup`<p>${inline(block.text)}</p>`;
  if ('fields' in block) return list(block.fields);
  const { label, language, code } = block;
  const open = language === 'shell';
  return markup`<details${attributes({ open })}><summary>${label}</summary><pre><code>${code}</code></pre></details>
`;
}

function list(fields: readonly Field[]): Html {
  if (fields.length === 0) return markup``;
  return markup`<dl>
${fields.map(
  ({ name, type, isRequired, text, fields: inner }) =>
    markup`<dt><code>${name}</code> ${inline(type)}${isRequired && markup` <b>required</b>`}</dt><dd>${inline(text)}${list(inner)}</dd>
`,
)}</dl>`;
}

/** Markdown of one line: code between backticks, and links, which may have code as their text. */
function inline(text: string): Html[] {
  return text.split(/(`[^`]*`|\[[^\]]*\]\([^)]*\))/).map((part, index) => {
    if (index % 2 === 0) return markup`${part}`;
    if (part.startsWith('`')) return markup`<code>${part.slice(1, -1)}</code>`;
    const [, label = '', href = ''] = /^\[(.*)\]\((.*)\)$/.exec(part) ?? [];
    return markup`<a${attributes({ href })}>${inline(label)}</a>`;
  });
}
