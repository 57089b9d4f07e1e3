/** The people who filled in forms: found by an identifier, exported, and erased. */
import { GatehouseError } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { confirmation, filterForm, textField } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { buttonLink, code, copyable, link, number, section, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Download, type Pages } from '../site/pages.js';
import { formsTexts } from '../texts/forms.texts.js';
import { IDENTITIES_PATH, schemaPath, schemasTrail } from './paths.js';
import { jsonText } from './schema-preview.js';

export function identityPages(pages: Pages): void {
  pages.show(IDENTITIES_PATH, listPage);
  pages.show(`${IDENTITIES_PATH}/:id`, identityPage);
  pages.show(`${IDENTITIES_PATH}/:id/export`, exported);
  pages.show(`${IDENTITIES_PATH}/:id/erase`, erasePage);
  pages.act(`${IDENTITIES_PATH}/:id/erase`, async ({ gatehouse, params }) => {
    await gatehouse.identities.delete({ id: params['id'] ?? '' });
    return { path: IDENTITIES_PATH, done: 'deleted' };
  });
}

async function listPage({ frame, gatehouse, query }: ConsoleVisit): Promise<Page> {
  const texts = formsTexts(frame.language);
  const asked = (name: string) => query.get(name)?.trim().slice(0, 255) || undefined;
  const filter = { identifier: asked('identifier'), schema_id: asked('schema_id') };
  const page = await gatehouse.identities.list({
    ...filter,
    page_token: query.get('page_token') ?? undefined,
  });
  const next = page.next_page_token;
  const list = table(frame, {
    caption: texts.identities,
    rows: page.identities,
    empty: filter.identifier === undefined ? texts.noIdentities : texts.notFound,
    next: next === '' ? undefined : pathWith(IDENTITIES_PATH, { ...filter, page_token: next }),
    columns: [
      { head: texts.identity, cell: ({ id }) => link(frame, `${IDENTITIES_PATH}/${id}`, code(id)) },
      {
        head: texts.schema,
        cell: ({ schema_id: id }) => link(frame, schemaPath(id), written(id)),
      },
      { head: texts.version, cell: (each) => each.schema_version, isNumber: true },
      { head: texts.created, cell: (each) => time(frame, each.created_at) },
      { head: texts.updated, cell: (each) => time(frame, each.updated_at) },
    ],
  });
  const fields = markup`${textField({ name: 'identifier', label: texts.identifier, value: filter.identifier })}
${textField({ name: 'schema_id', label: texts.schema, value: filter.schema_id, maxLength: 128 })}`;
  return {
    title: texts.identities,
    section: 'forms',
    trail: schemasTrail(frame),
    content: markup`<p class="lead">${texts.identifierHint}</p>
${filterForm(frame, IDENTITIES_PATH, fields)}
${list}`,
  };
}

async function identityPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params } = visit;
  const texts = formsTexts(frame.language);
  const identity = await gatehouse.identities.get({ id: params['id'] ?? '' });
  const { id, schema_id: schemaId, schema_version: version } = identity;
  const path = `${IDENTITIES_PATH}/${id}`;
  const schema = pathWith(schemaPath(schemaId), { version: String(version) });
  return {
    title: id,
    section: 'forms',
    trail: identitiesTrail(visit),
    content: markup`${facts([
      [texts.identity, copyable(frame, id)],
      [texts.schema, link(frame, schema, markup`${written(schemaId)}, ${texts.replaced(version)}`)],
      [texts.created, time(frame, identity.created_at)],
      [texts.updated, time(frame, identity.updated_at)],
    ])}
<div class="acts">${buttonLink(frame, `${path}/export`, texts.export)}
${buttonLink(frame, pathWith('/audit', { target: id }), texts.audit)}
${can(visit, 'forms:admin') && buttonLink(frame, `${path}/erase`, texts.erase)}</div>
${section(texts.traits, markup`<pre tabindex="0" translate="no">${jsonText(identity.traits)}</pre>`)}`,
  };
}

async function exported({ gatehouse, params }: ConsoleVisit): Promise<Download> {
  const identity = await gatehouse.identities.get({ id: params['id'] ?? '' });
  return { fileName: `identity-${identity.id}.json`, document: identity };
}

async function erasePage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params } = visit;
  const texts = formsTexts(frame.language);
  const { id: asked = '' } = params;
  const [{ id }, keys] = await Promise.all([
    gatehouse.identities.get({ id: asked }),
    keysOf(visit, asked),
  ]);
  const path = `${IDENTITIES_PATH}/${id}`;
  return confirmation(frame, {
    section: 'forms',
    trail: [...identitiesTrail(visit), { path, text: id }],
    lead: markup`<p>${texts.eraseText}</p>
${keys}
<p><strong>${texts.eraseForever}</strong></p>`,
    path: `${path}/erase`,
    button: texts.erase,
  });
}

/** What the erasure does to the keys of the person; undefined if it does nothing. */
async function keysOf(visit: ConsoleVisit, id: string): Promise<Html | undefined> {
  const { frame, gatehouse } = visit;
  const texts = formsTexts(frame.language);
  const { on_delete: action, actor_prefix: prefix = '' } = await gatehouse.identities.keyLink
    .get()
    .catch(unlinked);
  if (action === 'off') return undefined;
  const actorId = prefix + id;
  const effect = texts.keysThen[action];
  if (!can(visit, 'keys:read')) return markup`<p>${effect}</p>`;
  const { issued_api_keys: keys } = await gatehouse.actors.find({ actor_id: actorId });
  const count = texts.keyCount(number(frame, keys.length));
  return markup`<p>${effect} ${link(frame, pathWith('/people', { id: actorId }), count)}</p>`;
}

function unlinked(error: unknown) {
  if (error instanceof GatehouseError && error.status === 404) {
    return { on_delete: 'off', actor_prefix: '' } as const;
  }
  throw error;
}

function identitiesTrail({ frame }: ConsoleVisit) {
  const { identities } = formsTexts(frame.language);
  return [...schemasTrail(frame), { path: IDENTITIES_PATH, text: identities }];
}
