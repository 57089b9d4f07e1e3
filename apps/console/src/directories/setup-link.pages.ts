/** Setup links, with which administrators of customers connect their identity providers. */
import { type CreatedSetupLink, type SetupLink, type SetupLinkInput } from '@gatehouse/client';
import { attributes, type Html, markup } from '@gatehouse/pages';
import { actForm, checkField, confirmation, selectField, textField } from '../parts/forms.js';
import { refusal } from '../parts/refusal.js';
import { pathWith, table } from '../parts/table.js';
import { badge, buttonLink, code, link, shownOnce } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { setupLinkTexts } from '../texts/setup-link.texts.js';
import { entered, orAgain, PATH } from './directory-page.js';
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
const OFFERS = ['token', 'mapping', 'roles', 'groups'] as const;
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
  pages.show(`${LINKS}/:link/revoke`, (visit) => endPage(visit, 'revoke'));
  pages.act(`${LINKS}/:link/revoke`, async (visit, form) => {
    const options = { id: visit.params['link'] ?? '', delete_token: form.has('delete_token') };
    const { directory_id } = await visit.gatehouse.setupLinks.revoke(options);
    return { path: pathWith(LINKS, { directory_id }), done: 'link-revoked' };
  });
  pages.show(`${LINKS}/:link/end-session`, (visit) => endPage(visit, 'end-session'));
  pages.act(`${LINKS}/:link/end-session`, async (visit) => {
    const id = visit.params['link'] ?? '';
    const { directory_id } = await visit.gatehouse.setupLinks.endSession({ id });
    return { path: pathWith(LINKS, { directory_id }), done: 'session-ended' };
  });
}

function trailOf({ frame }: ConsoleVisit, isBelowLinks = true): NonNullable<Page['trail']> {
  const { title, tabs } = directoriesTexts(frame.language);
  return [
    { path: PATH, text: title },
    ...(isBelowLinks ? [{ path: LINKS, text: tabs.links }] : []),
  ];
}

async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const texts = setupLinkTexts(frame.language);
  const { tabs, newLink } = directoriesTexts(frame.language);
  const filters = filtersOf(visit, ['directory_id']);
  const { rows, next } = await partOf(visit, { path: LINKS, filters }, (page) =>
    gatehouse.setupLinks.list.all({ ...filters, ...page }),
  );
  const list = table<SetupLink>(frame, {
    caption: tabs.links,
    rows,
    next,
    empty: markup`<p>${texts.empty}</p>`,
    columns: [
      { head: texts.created, cell: (each) => time(frame, each.created_at) },
      { head: texts.state, cell: (each) => stateBadge(visit, each) },
      { head: texts.directory, cell: (each) => directoryLink(visit, each) },
      {
        head: texts.expires,
        cell: (each) => time(frame, each.session_expires_at ?? each.expires_at),
      },
      {
        head: texts.offers,
        cell: (each) => each.allow.map((offer) => texts.allow[offer]).join(', '),
      },
      { head: '', cell: (each) => can(visit, 'dsync:admin') && endLinks(visit, each) },
    ],
  });
  return {
    title: tabs.links,
    section: 'directories',
    trail: trailOf(visit, false),
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

function endLinks({ frame }: ConsoleVisit, { id, state }: SetupLink): Html {
  const texts = setupLinkTexts(frame.language);
  const hasSession = state === 'open' || state === 'connected';
  return markup`${state !== 'revoked' && link(frame, `${LINKS}/${id}/revoke`, texts.revoke.button)} ${
    hasSession && link(frame, `${LINKS}/${id}/end-session`, texts['end-session'].button)
  }`;
}

async function endPage(visit: ConsoleVisit, act: 'revoke' | 'end-session'): Promise<Page> {
  const { frame, gatehouse, params } = visit;
  const texts = setupLinkTexts(frame.language);
  const found = await gatehouse.setupLinks.get({ id: params['link'] ?? '' });
  return confirmation(frame, {
    title: texts[act].title,
    section: 'directories',
    trail: trailOf(visit),
    consequences: markup`<p>${stateBadge(visit, found)} – ${directoryLink(visit, found)}</p>
<p>${texts[act].text}</p>`,
    content: act === 'revoke' && checkField({ name: 'delete_token', label: texts.deleteToken }),
    path: `${LINKS}/${found.id}/${act}`,
    button: texts[act].button,
    cancel: pathWith(LINKS, { directory_id: found.directory_id }),
  });
}

/** @param form what was entered before, or what the address has */
function newPage(visit: ConsoleVisit, form: URLSearchParams, fault?: string): Page {
  const { frame } = visit;
  const texts = setupLinkTexts(frame.language);
  const all = directoriesTexts(frame.language);
  const directoryId = entered(form, 'directory_id');
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
  const offered = form.getAll('allow');
  const fields = [
    refusal(fault),
    directoryId === undefined
      ? ofDirectory
      : markup`<p>${texts.directory}: ${link(frame, `${PATH}/${encodeURIComponent(directoryId)}`, code(directoryId))}</p>
<input type="hidden" name="directory_id"${attributes({ value: directoryId })}>`,
    select('expires_in', texts.expiresIn, lengths(frame, '7d', '24h', '30d')),
    markup`<fieldset class="field choices"><legend>${texts.offers}</legend>${OFFERS.map((each) =>
      checkField({ name: 'allow', label: texts.allow[each], value: each }, offered.includes(each)),
    )}</fieldset>`,
    text('attributes', texts.attributes),
    text('roles', texts.roles),
    text('return_url', texts.returnUrl),
  ];
  const cancel = directoryId === undefined ? PATH : `${PATH}/${encodeURIComponent(directoryId)}`;
  return {
    title: all.newLink,
    section: 'directories',
    trail: trailOf(visit),
    status: fault === undefined ? undefined : 400,
    content: markup`<p class="lead">${texts.newText}</p>
${actForm(frame, { path: NEW, button: texts.create, content: fields, cancel })}`,
  };
}

/** What was entered; the service decides whether it fits together. */
function inputOf(form: URLSearchParams): SetupLinkInput {
  const names = ['directory_id', 'tenant', 'product', 'name', 'expires_in', 'return_url'];
  const type = entered(form, 'type');
  const isPulled = type === 'google' || type === 'entra';
  return {
    ...Object.fromEntries(names.map((name) => [name, entered(form, name)])),
    type: (isPulled ? 'workspace' : type) as SetupLinkInput['type'],
    workspace_provider: isPulled ? type : undefined,
    workspace_domain: isPulled ? entered(form, 'workspace_domain') : undefined,
    allow: (form.has('allow') ? form.getAll('allow') : undefined) as SetupLinkInput['allow'],
    attributes: listOf(form, 'attributes'),
    roles: listOf(form, 'roles'),
  };
}

/** Values between commas. */
function listOf(form: URLSearchParams, name: string): string[] | undefined {
  const values = (form.get(name) ?? '').split(',').map((each) => each.trim());
  const given = values.filter((each) => each !== '');
  return given.length > 0 ? given : undefined;
}

function createdPage(visit: ConsoleVisit, created: CreatedSetupLink): Page {
  const { frame } = visit;
  const texts = setupLinkTexts(frame.language);
  return {
    title: texts.address,
    section: 'directories',
    trail: trailOf(visit),
    content: markup`<p class="lead">${texts.createdText}</p>
${shownOnce(frame, texts.address, created.url)}
<p>${texts.expires}: ${time(frame, created.expires_at)}</p>
<p>${texts.directory}: ${directoryLink(visit, created)}</p>`,
  };
}
