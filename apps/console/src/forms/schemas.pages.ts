/** The schemas, and one of them with its versions and its form. */
import { type SchemasGetResponse } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { actButton } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { buttonLink, code, copyable, link, section, shownOnce, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { formsTexts } from '../texts/forms.texts.js';
import { FORMS_PATH, IDENTITIES_PATH, schemaPath, schemasTrail } from './paths.js';
import { jsonText, schemaPreview } from './schema-preview.js';

/** A page of the API has whole schemas. */
const PAGE_SIZE = 20;
/** Older ones are reached by their address. */
const VERSIONS_SHOWN = 20;

export function schemaPages(pages: Pages): void {
  pages.show(FORMS_PATH, listPage);
  pages.show(`${FORMS_PATH}/schemas/:id`, schemaPage);
  pages.actOnce(
    `${FORMS_PATH}/schemas/:id/link`,
    ({ params }) => schemaPath(params['id'] ?? ''),
    linkPage,
  );
}

async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, query } = visit;
  const texts = formsTexts(frame.language);
  const page_token = query.get('page_token') ?? undefined;
  const { schemas, next_page_token: next } = await gatehouse.schemas.list({
    page_token,
    page_size: PAGE_SIZE,
  });
  const list = table(frame, {
    caption: texts.schemas,
    rows: schemas,
    empty: texts.noSchemas,
    next: next === '' ? undefined : pathWith(FORMS_PATH, { page_token: next }),
    columns: [
      { head: texts.schema, cell: ({ id }) => link(frame, schemaPath(id), written(id)) },
      { head: texts.formTitle, cell: ({ schema }) => written(titleOf(schema)) },
      { head: texts.version, cell: ({ version }) => version, isNumber: true },
      { head: texts.isPublic, cell: (each) => (each.public ? texts.yes : texts.no) },
      { head: texts.created, cell: (each) => time(frame, each.created_at) },
    ],
  });
  return {
    title: texts.forms,
    section: 'forms',
    content: markup`<div class="acts">${can(visit, 'forms:admin') && buttonLink(frame, `${FORMS_PATH}/schemas/new`, texts.newSchema)}
${buttonLink(frame, IDENTITIES_PATH, texts.identities)}</div>
${section(texts.schemas, list)}`,
  };
}

async function schemaPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params, query } = visit;
  const texts = formsTexts(frame.language);
  const asked = /^\d{1,9}$/.exec(query.get('version') ?? '')?.[0];
  const version = asked === undefined ? undefined : Number(asked);
  const stored = await gatehouse.schemas.get({ id: params['id'] ?? '', version });
  const { id, schema } = stored;
  const isEditor = can(visit, 'forms:admin');
  const edit = pathWith(`${schemaPath(id)}/edit`, { version: asked });
  const find = pathWith(IDENTITIES_PATH, { schema_id: id });
  const preview =
    isEditor && markup`<div class="preview">${await schemaPreview(visit, schema)}</div>`;
  return {
    title: id,
    section: 'forms',
    trail: schemasTrail(frame),
    content: markup`${factsOf(visit, stored)}
<div class="acts">${isEditor && buttonLink(frame, edit, texts.edit)}
${isEditor && actButton(frame, { path: `${schemaPath(id)}/link`, button: texts.newLink })}
${buttonLink(frame, find, texts.identities)}</div>
<div class="columns"><div><h2>${texts.schema}</h2>
<pre tabindex="0">${jsonText(schema)}</pre></div>
${preview}</div>`,
  };
}

function factsOf({ frame }: ConsoleVisit, stored: SchemasGetResponse) {
  const { id, version, current_version: current } = stored;
  const texts = formsTexts(frame.language);
  const count = Math.min(VERSIONS_SHOWN, Math.max(version, current));
  const versions = Array.from({ length: count }, (_, index) => Math.max(version, current) - index);
  return facts([
    [texts.version, version === current ? texts.current(version) : texts.replaced(version)],
    [texts.created, time(frame, stored.created_at)],
    [texts.isPublic, stored.public ? texts.yes : texts.no],
    [
      texts.signUpPage,
      stored.public
        ? markup`${copyable(frame, pathWith('/sign-up', { schema: id }))} <small>${texts.onPublicSurface}</small>`
        : texts.notPublic,
    ],
    [
      texts.versions,
      versions.map((each) => [
        each === version
          ? code(String(each))
          : link(frame, pathWith(schemaPath(id), { version: String(each) }), String(each)),
        ' ',
      ]),
    ],
  ]);
}

/** A form for one person, also of a schema that is not public. */
async function linkPage({ frame, gatehouse, params }: ConsoleVisit): Promise<Page> {
  const texts = formsTexts(frame.language);
  const { id = '' } = params;
  const started = await gatehouse.forms.start({ kind: 'sign-up', schema_id: id });
  return {
    title: texts.newLink,
    section: 'forms',
    trail: [...schemasTrail(frame), { path: schemaPath(id), text: id }],
    content: markup`${shownOnce(frame, texts.link, started.url)}
<p>${texts.linkUntil} ${time(frame, started.expires_at)}</p>`,
  };
}

function titleOf(schema: Readonly<Record<string, unknown>>): string {
  return typeof schema['title'] === 'string' ? schema['title'] : '';
}
