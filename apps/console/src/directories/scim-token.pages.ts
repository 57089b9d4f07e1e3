/** SCIM tokens of a directory. */
import { type ScimToken, type ScimTokenSecret } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { actForm, selectField, textField } from '../parts/forms.js';
import { table } from '../parts/table.js';
import { code, link, section, shownOnce, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { siteTexts } from '../texts/site.texts.js';
import {
  directoryConfirmation,
  directoryOf,
  directoryPage,
  entered,
  idOf,
  orAgain,
  PATH,
} from './directory-page.js';
import { lengths } from './lengths.js';

export function scimTokenPages(pages: Pages): void {
  const path = `${PATH}/:id/tokens`;
  pages.show(path, (visit) => listPage(visit));
  pages.actOnce(path, (visit) => `${PATH}/${idOf(visit)}/tokens`, create);
  pages.show(`${path}/:token/revoke`, revokePage);
  pages.act(`${path}/:token/revoke`, async (visit) => {
    await visit.gatehouse.directories.scimTokens.delete(named(visit));
    return { path: `${PATH}/${idOf(visit)}/tokens`, done: 'token-revoked' };
  });
}

function named(visit: ConsoleVisit) {
  return { directoryId: idOf(visit), id: visit.params['token'] ?? '' };
}

async function listPage(
  visit: ConsoleVisit,
  form?: URLSearchParams,
  fault?: string,
): Promise<Page> {
  const { frame, gatehouse } = visit;
  const directoryId = idOf(visit);
  const texts = directoriesTexts(frame.language);
  const [directory, tokens] = await Promise.all([
    directoryOf(visit),
    gatehouse.directories.scimTokens.list({ directoryId }),
  ]);
  const path = `${PATH}/${directoryId}/tokens`;
  const canAct = can(visit, 'dsync:admin');
  const list = table<ScimToken>(frame, {
    caption: texts.tabs.tokens,
    rows: tokens,
    empty: markup`<p>${texts.noTokens}</p>`,
    columns: [
      { head: texts.name, cell: ({ name }) => written(name) },
      { head: texts.preview, cell: ({ preview }) => code(preview) },
      { head: texts.expires, cell: (token) => time(frame, token.expires_at) },
      { head: texts.used, cell: (token) => time(frame, token.last_used_at) },
      {
        head: '',
        cell: ({ id }) => canAct && link(frame, `${path}/${id}/revoke`, texts.revoke),
      },
    ],
  });
  const name = { name: 'name', label: texts.name, value: form?.get('name') ?? '', fault };
  const fields = [
    textField({ ...name, maxLength: 100, isRequired: true }),
    selectField({
      name: 'ttl',
      label: texts.ttl,
      value: form?.get('ttl') ?? '90d',
      choices: [['', siteTexts(frame.language).none], ...lengths(frame, '30d', '90d', '365d')],
    }),
  ];
  return directoryPage(visit, directory, {
    tab: 'tokens',
    status: fault === undefined ? undefined : 400,
    content: markup`${list}
${canAct && section(texts.createToken, actForm(frame, { path, button: texts.createToken, content: fields }))}`,
  });
}

async function create(visit: ConsoleVisit, form: URLSearchParams): Promise<Page> {
  const { scimTokens } = visit.gatehouse.directories;
  const input = { name: entered(form, 'name') ?? '', ttl: entered(form, 'ttl') };
  return orAgain(
    async () => secretPage(visit, await scimTokens.create({ directoryId: idOf(visit), ...input })),
    (fault) => listPage(visit, form, fault),
  );
}

async function secretPage(visit: ConsoleVisit, { name, secret }: ScimTokenSecret): Promise<Page> {
  return directoryPage(visit, await directoryOf(visit), {
    title: name,
    tab: 'tokens',
    content: shownOnce(visit.frame, directoriesTexts(visit.frame.language).preview, secret),
  });
}

async function revokePage(visit: ConsoleVisit): Promise<Page> {
  const [directory, { id, name }] = await Promise.all([
    directoryOf(visit),
    visit.gatehouse.directories.scimTokens.get(named(visit)),
  ]);
  const texts = directoriesTexts(visit.frame.language);
  return directoryConfirmation(visit, directory, {
    title: texts.revokeTitle(name),
    tab: 'tokens',
    consequences: markup`<p>${texts.revokeText}</p>`,
    act: `tokens/${id}/revoke`,
    button: texts.revoke,
  });
}
