/** The editor of a schema, with its form beside. */
import { GatehouseError } from '@gatehouse/client';
import { attributes, markup } from '@gatehouse/pages';
import { actForm, areaField, checkField, textField } from '../parts/forms.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages, type Redirect } from '../site/pages.js';
import { formsTexts } from '../texts/forms.texts.js';
import { FORMS_PATH, schemaPath, schemasTrail } from './paths.js';
import { isSchemaRefused, jsonText, schemaFaults, schemaPreview } from './schema-preview.js';

const NEW_PATH = `${FORMS_PATH}/schemas/new`;
const EXAMPLE = {
  type: 'object',
  title: 'Become a customer',
  properties: {
    traits: {
      type: 'object',
      required: ['email'],
      properties: {
        email: { type: 'string', format: 'email', title: 'E-mail', 'x-identifier': true },
        name: { type: 'string', title: 'Name' },
      },
    },
  },
};

interface Draft {
  /** Of a schema that is stored; undefined for a new one, whose id is entered. */
  readonly stored?: string;
  readonly id: string;
  readonly document: string;
  readonly isPublic: boolean;
}

export function schemaEditor(pages: Pages): void {
  pages.show(NEW_PATH, (visit) =>
    editorPage(visit, { id: '', document: jsonText(EXAMPLE), isPublic: false }),
  );
  pages.act(NEW_PATH, (visit, form) => {
    const draft = draftOf(form, form.get('id') ?? '');
    return answerTo(visit, form, draft, async (schema) => {
      const { id } = await visit.gatehouse.schemas.register({
        id: draft.id,
        schema,
        public: draft.isPublic,
      });
      return { path: schemaPath(id), done: 'saved' };
    });
  });
  pages.show(`${FORMS_PATH}/schemas/:id/edit`, editPage);
  pages.act(`${FORMS_PATH}/schemas/:id/edit`, (visit, form) => {
    const { id = '' } = visit.params;
    const draft = { ...draftOf(form, id), stored: id };
    return answerTo(visit, form, draft, async (schema) => {
      await visit.gatehouse.schemas.put({ id, schema, public: draft.isPublic });
      return { path: schemaPath(id), done: 'saved' };
    });
  });
}

async function editPage(visit: ConsoleVisit): Promise<Page> {
  const { id = '' } = visit.params;
  const version = Number(/^\d{1,9}$/.exec(visit.query.get('version') ?? '')?.[0] ?? 0);
  const stored = await visit.gatehouse.schemas.get({ id, version: version || undefined });
  const { schema, public: isPublic } = stored;
  return editorPage(visit, { stored: id, id, document: jsonText(schema), isPublic });
}

function draftOf(form: URLSearchParams, id: string): Draft {
  return { id, document: form.get('schema') ?? '', isPublic: form.has('public') };
}

/** Shows the form of a draft, or saves it; a refused draft is shown again. */
async function answerTo(
  visit: ConsoleVisit,
  form: URLSearchParams,
  draft: Draft,
  save: (schema: Record<string, unknown>) => Promise<Redirect>,
): Promise<Page | Redirect> {
  if (form.has('preview')) return editorPage(visit, draft);
  const { schema } = parsed(draft.document);
  if (schema === undefined) return editorPage(visit, draft, 'schema');
  try {
    return await save(schema as Record<string, unknown>);
  } catch (error) {
    const isTaken = error instanceof GatehouseError && error.status === 409;
    if (!isTaken && !isSchemaRefused(error)) throw error;
    return editorPage(visit, draft, error.status === 422 ? 'schema' : error);
  }
}

/** @param refused why the draft was not saved: its schema has faults, or the error of its id */
async function editorPage(
  visit: ConsoleVisit,
  draft: Draft,
  refused?: 'schema' | GatehouseError,
): Promise<Page> {
  const { frame } = visit;
  const texts = formsTexts(frame.language);
  const { stored, id, document, isPublic } = draft;
  const { schema, fault } = parsed(document);
  const preview =
    fault === undefined
      ? await schemaPreview(visit, schema)
      : schemaFaults(visit, [{ pointer: '', message: fault }]);
  const idField = textField({
    name: 'id',
    label: texts.id,
    hint: texts.idHint,
    value: id,
    isRequired: true,
    maxLength: 128,
    fault: refused instanceof GatehouseError ? refused.message : undefined,
  });
  const fields = markup`${stored === undefined && idField}
${areaField({
  name: 'schema',
  label: texts.document,
  hint: texts.documentHint,
  value: document,
  rows: 24,
  preview: 'preview',
  fault: refused === 'schema' ? texts.refused : undefined,
})}
${checkField({ name: 'public', label: texts.publicLabel }, isPublic)}
<button class="secondary" type="submit"${attributes({ name: 'preview', value: 'yes' })}>${texts.showPreview}</button>`;
  const path = stored === undefined ? NEW_PATH : `${schemaPath(stored)}/edit`;
  const trail = schemasTrail(frame);
  return {
    title: stored === undefined ? texts.newSchema : texts.editTitle(stored),
    section: 'forms',
    trail: stored === undefined ? trail : [...trail, { path: schemaPath(stored), text: stored }],
    status: refused === undefined ? undefined : 400,
    content: markup`<div class="columns"><div>${actForm(frame, {
      path,
      button: texts.save,
      content: fields,
      cancel: stored === undefined ? FORMS_PATH : schemaPath(stored),
    })}</div>
<section class="preview" id="preview" aria-live="polite"${attributes({ 'aria-label': texts.preview })}>${preview}</section></div>`,
  };
}

function parsed(document: string): { schema?: unknown; fault?: string } {
  try {
    return { schema: JSON.parse(document) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
