/** Forms that issue and edit keys. */
import { type HtmlPart } from '@gatehouse/pages';
import { actPage, areaField, textField } from '../parts/forms.js';
import { refusalOf } from '../parts/refusal.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { type Pages } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';
import { secretPage, trailOf } from './key-acts.js';
import { findKey, type Key, listOf, nameOf } from './key-lookup.js';

/** What an edit replaces; what its form leaves empty is reset. */
const EDITED = 'name,scopes,tags,ip_restriction,rate_limit_policy';

export function keyForms(pages: Pages): void {
  pages.show('/keys/new', ({ frame, query }) => issuePage(frame, query));
  pages.actOnce(
    '/keys/new',
    () => '/keys',
    async ({ frame, gatehouse }, form) => {
      try {
        const { issued_api_key: key, secret } = await gatehouse.keys.issue({
          ...fieldsOf(form),
          actor_id: form.get('actor_id') ?? '',
          ttl: form.get('ttl') || undefined,
        });
        return secretPage(frame, key, secret);
      } catch (error) {
        return issuePage(frame, form, refusalOf(error));
      }
    },
  );
  pages.show('/keys/:id/edit', async (visit) => {
    const { key } = await findKey(visit);
    return editPage(visit.frame, key, formOf(key));
  });
  pages.act('/keys/:id/edit', async (visit, form) => {
    const { kind, key } = await findKey(visit);
    const { key_id, rate_limit_policy: policy } = key;
    const { keys, importedKeys } = visit.gatehouse;
    const update = kind === 'imported' ? importedKeys.update : keys.update;
    try {
      await update({ key_id, ...fieldsOf(form, policy?.unit), update_mask: EDITED });
    } catch (error) {
      return editPage(visit.frame, key, form, refusalOf(error));
    }
    return { path: `/keys/${key_id}`, done: 'saved' };
  });
}

function issuePage(frame: ConsoleFrame, form: URLSearchParams, fault?: string): Page {
  const texts = keysTexts(frame.language);
  const value = (name: string) => form.get(name) ?? '';
  const content = [
    textField({
      name: 'actor_id',
      label: texts.owner,
      value: value('actor_id'),
      hint: texts.ownerHint,
      isRequired: true,
    }),
    fields(frame, form),
    textField({ name: 'ttl', label: texts.ttl, value: value('ttl'), hint: texts.ttlHint }),
  ];
  const trail = trailOf(frame);
  const act = { path: '/keys/new', button: texts.issue, content };
  return actPage(frame, { section: 'keys', trail, fault, ...act });
}

function editPage(frame: ConsoleFrame, key: Key, form: URLSearchParams, fault?: string): Page {
  const { edit, save } = keysTexts(frame.language);
  return actPage(frame, {
    section: 'keys',
    trail: trailOf(frame, key),
    title: `${edit}: ${nameOf(key)}`,
    fault,
    path: `/keys/${key.key_id}/edit`,
    button: save,
    content: fields(frame, form),
  });
}

function fields(frame: ConsoleFrame, form: URLSearchParams): HtmlPart {
  const texts = keysTexts(frame.language);
  const text = (name: string, label: string, hint?: string) =>
    textField({ name, label, hint, value: form.get(name) ?? '' });
  const list = (name: string, label: string, hint: string) =>
    areaField({ name, label, hint, value: form.get(name) ?? '', rows: 3 });
  return [
    text('name', texts.name),
    list('scopes', texts.scopes, texts.listHint),
    list('tags', texts.tags, texts.listHint),
    list('addresses', texts.addresses, texts.listHint),
    text('quota', texts.quota),
    text('window', texts.window, texts.windowHint),
  ];
}

function formOf(key: Key): URLSearchParams {
  const { name, scopes, tags = [], ip_restriction: addresses, rate_limit_policy: policy } = key;
  return new URLSearchParams({
    name,
    scopes: scopes.join('\n'),
    tags: tags.join('\n'),
    addresses: addresses?.allowed_cidrs.join('\n') ?? '',
    quota: policy?.quota ?? '',
    window: policy?.window ?? '',
  });
}

/** @param unit of the limit, which the form does not have */
function fieldsOf(form: URLSearchParams, unit?: string) {
  const text = (name: string) => form.get(name)?.trim() ?? '';
  const [addresses, quota, window] = [listOf(form, 'addresses'), text('quota'), text('window')];
  return {
    name: text('name'),
    scopes: listOf(form, 'scopes'),
    tags: listOf(form, 'tags'),
    ip_restriction: addresses.length > 0 ? { allowed_cidrs: addresses } : undefined,
    rate_limit_policy: quota || window ? { quota, window, unit } : undefined,
  };
}
