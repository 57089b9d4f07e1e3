/** Setup links, with which administrators of customers connect their identity providers. */
import { type CreatedSetupLink, type SetupLink, type SetupLinkInput } from '@gatehouse/client';
import { attributes, type Html, markup } from '@gatehouse/pages';
import { actPage, checkField, confirmation, selectField, textField } from '../parts/forms.js';
import { pathWith, table } from '../parts/table.js';
import { badge, buttonLink, code, link, shownOnce, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { setupLinkTexts } from '../texts/setup-link.texts.js';
import { entered, orAgain, PATH, trailOf } from './directory-page.js';
import { lengths } from './lengths.js';
import { filtersOf, partOf } from './lists.js';

const LINKS = `${PATH}/links`;
const NEW = `${PATH}/new-link`;
const TYPES = [
  ['generic-scim-v2', 'SCIM'],
  ['okta-scim-v2', 'Okta (SCIM)'],
  ['azure-scim-v2', 'Microsoft Entra ID (SCIM)'],
  ['onelogin-scim-v2', 'OneLogin (SCIM)'],
  ['jumpcloud-scim-v2', 'JumpCloud (SCIM)'],
  ['google', 'Google Workspace'],
  ['entra', 'Microsoft Entra ID (API)'],
] as const;
const WORKING: readonly SetupLink['state'][] = ['unopened', 'open', 'connected'];

export function setupLinkPages(pages: Pages): void {
  pages.show(LINKS, listPage);
  pages.show(NEW, (visit) => newPage(visit, visit.query));
  pages.actOnce(
    NEW,
    () => LINKS,
    (visit, form) =>
      orAgain(
        async () => createdPage(visit, await visit.gatehouse.setupLinks.create(inputOf(form))),
        (fault) => newPage(visit, form, fault),
      ),
  );
  pages.show(`${LINKS}/:link/revoke`, revokePage);
  pages.act(`${LINKS}/:link/revoke`, async (visit, form) => {
    const options = { id: visit.params['link'] ?? '', delete_token: form.has('delete_token') };
    const { directory_id } = await visit.gatehouse.setupLinks.revoke(options);
    return { path: pathWith(LINKS, { directory_id }), done: 'revoked' };
  });
}

function linksTrail(frame: ConsoleFrame) {
  return [...trailOf(frame), { path: LINKS, text: setupLinkTexts(frame.language).setupLinks }];
}

async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const texts = setupLinkTexts(frame.language);
  const { newLink } = directoriesTexts(frame.language);
  const filters = filtersOf(visit, ['directory_id']);
  const { rows, next } = await partOf(visit, { path: LINKS, filters }, (page) =>
    gatehouse.setupLinks.list.all({ ...filters, ...page }),
  );
  const list = table<SetupLink>(frame, {
    caption: texts.setupLinks,
    rows,
    next,
    empty: markup`<p>${texts.empty}</p>`,
    columns: [
      { head: texts.created, cell: (each) => time(frame, each.created_at) },
      { head: texts.state, cell: (each) => stateBadge(visit, each) },
      { head: texts.directory, cell: (each) => directoryLink(visit, each) },
      {
        head: texts.until,
        cell: (each) => time(frame, each.session_expires_at ?? each.expires_at),
      },
      {
        head: '',
        cell: ({ id, state }) =>
          state !== 'revoked' &&
          can(visit, 'dsync:admin') &&
          link(frame, `${LINKS}/${id}/revoke`, texts.revoke),
      },
    ],
  });
  return {
    title: texts.setupLinks,
    section: 'directories',
    trail: trailOf(frame),
    content: markup`${
      can(visit, 'dsync:admin') &&
      markup`<div class="acts">${buttonLink(frame, pathWith(NEW, filters), newLink)}</div>`
    }
${list}`,
  };
}

function directoryLink({ frame }: ConsoleVisit, { directory_id: id }: SetupLink): Html {
  return link(frame, `${PATH}/${id}`, code(id));
}

function stateBadge({ frame }: ConsoleVisit, { state }: SetupLink): Html {
  const isDone = state === 'connected' || state === 'completed';
  const kind = isDone ? 'good' : WORKING.includes(state) ? 'warning' : 'quiet';
  return badge(kind, setupLinkTexts(frame.language).states[state]);
}

async function revokePage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params } = visit;
  const texts = setupLinkTexts(frame.language);
  const found = await gatehouse.setupLinks.get({ id: params['link'] ?? '' });
  return confirmation(frame, {
    section: 'directories',
    trail: linksTrail(frame),
    title: `${texts.revoke}: ${texts.address}`,
    lead: markup`<p>${stateBadge(visit, found)} – ${directoryLink(visit, found)}</p>
<p>${texts.revokeText}</p>`,
    content: checkField({ name: 'delete_token', label: texts.deleteToken }),
    path: `${LINKS}/${found.id}/revoke`,
    button: texts.revoke,
  });
}

/** @param form what was entered before, or what the address has */
async function newPage(visit: ConsoleVisit, form: URLSearchParams, fault?: string): Promise<Page> {
  const { frame, gatehouse } = visit;
  const texts = setupLinkTexts(frame.language);
  const all = directoriesTexts(frame.language);
  const id = entered(form, 'directory_id');
  const directory = id === undefined ? undefined : await gatehouse.directories.get({ id });
  const text = (name: string, label: string, isRequired = false) =>
    textField({ name, label, value: form.get(name) ?? '', isRequired });
  const select = (name: string, label: string, choices: readonly (readonly [string, string])[]) =>
    selectField({ name, label, value: form.get(name) ?? '', choices });
  const ofDirectory = [
    text('tenant', all.tenant, true),
    text('product', all.product, true),
    text('name', all.name),
    select('type', all.type, TYPES),
    text('workspace_domain', all.domain),
  ];
  const fields = [
    directory === undefined
      ? ofDirectory
      : markup`<p>${texts.directory}: ${link(frame, `${PATH}/${directory.id}`, written(directory.name))}</p>
<input type="hidden" name="directory_id"${attributes({ value: directory.id })}>`,
    select('expires_in', texts.expiresIn, lengths(frame, '7d', '24h', '14d', '30d')),
  ];
  return actPage(frame, {
    section: 'directories',
    trail: trailOf(frame, directory),
    lead: markup`<p>${texts.newText}</p>`,
    fault,
    path: NEW,
    button: texts.create,
    content: fields,
  });
}

/** What was entered; the service decides whether it fits together. */
function inputOf(form: URLSearchParams): SetupLinkInput {
  const names = ['directory_id', 'tenant', 'product', 'name', 'expires_in'];
  const type = entered(form, 'type');
  const isPulled = type === 'google' || type === 'entra';
  return {
    ...Object.fromEntries(names.map((name) => [name, entered(form, name)])),
    type: (isPulled ? 'workspace' : type) as SetupLinkInput['type'],
    workspace_provider: isPulled ? type : undefined,
    workspace_domain: isPulled ? entered(form, 'workspace_domain') : undefined,
  };
}

async function createdPage(visit: ConsoleVisit, created: CreatedSetupLink): Promise<Page> {
  const { frame, gatehouse } = visit;
  const { id, name } = await gatehouse.directories.get({ id: created.directory_id });
  const texts = setupLinkTexts(frame.language);
  return {
    title: texts.address,
    section: 'directories',
    trail: linksTrail(frame),
    content: markup`<p class="lead">${texts.newText}</p>
${shownOnce(frame, texts.address, created.url)}
<p>${texts.until}: ${time(frame, created.expires_at)}</p>
<p>${texts.directory}: ${link(frame, `${PATH}/${id}`, written(name))}</p>`,
  };
}
