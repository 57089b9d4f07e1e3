/** The users and groups of a directory. */
import {
  type Directory,
  type DirectoriesKeyLink,
  type Group,
  type GroupMember,
  type User,
} from '@gatehouse/client';
import { isUuid } from '@gatehouse/kit/ids';
import { type Html, markup } from '@gatehouse/pages';
import { filterForm, textField } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { badge, code, copyable, link, number, section, written } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { siteTexts } from '../texts/site.texts.js';
import { directoryOf, directoryPage, idOf, listing, PATH } from './directory-page.js';
import { filtersOf, partOf, ROWS } from './lists.js';

/** Longer ids are no actors. */
const ACTOR_CHARACTERS_MAX = 255;

export function peoplePages(pages: Pages): void {
  pages.show(`${PATH}/:id/users`, usersPage);
  pages.show(`${PATH}/:id/users/:user`, userPage);
  pages.show(`${PATH}/:id/groups`, groupsPage);
  pages.show(`${PATH}/:id/groups/:group`, groupPage);
}

async function usersPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const directoryId = idOf(visit);
  const path = `${PATH}/${directoryId}/users`;
  const filters = filtersOf(visit, ['userName', 'email', 'role']);
  const texts = directoriesTexts(frame.language);
  const [directory, { rows, next }] = await Promise.all([
    directoryOf(visit),
    partOf(visit, { path, filters }, (page) =>
      gatehouse.directories.users.list.all({ directoryId, ...filters, ...page }),
    ),
  ]);
  const list = table<User>(frame, {
    caption: texts.users,
    rows,
    next,
    empty: markup`<p>${texts.noUsers}</p>`,
    columns: [
      {
        head: texts.userName,
        cell: (user) => link(frame, `${path}/${user.id}`, written(nameOf(user))),
      },
      { head: texts.name, cell: (user) => written(`${user.first_name} ${user.last_name}`) },
      { head: texts.email, cell: ({ email }) => written(email) },
      { head: texts.role, cell: ({ roles = [] }) => written(roles.join(', ')) },
      { head: texts.active, cell: (user) => activeBadge(visit, user) },
    ],
  });
  const fields = (['userName', 'email', 'role'] as const).map((name) =>
    textField({ name, label: texts[name], value: filters[name] }),
  );
  return directoryPage(visit, directory, {
    tab: 'users',
    content: markup`${filterForm(frame, path, fields)}
${list}`,
  });
}

async function userPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params } = visit;
  const texts = directoriesTexts(frame.language);
  const [directory, user] = await Promise.all([
    directoryOf(visit),
    gatehouse.directories.users.get({ id: params['user'] ?? '', directoryId: idOf(visit) }),
  ]);
  const { tenant, product } = directory;
  const [keyLink] = await gatehouse.keyLinks.list({ tenant, product });
  const actor = keyLink && actorOf(user, keyLink);
  const requests = `${PATH}/${directory.id}/requests`;
  const attributes = facts([
    [texts.userName, written(nameOf(user))],
    [texts.name, written(`${user.first_name} ${user.last_name}`)],
    [texts.email, written(user.email)],
    [texts.active, activeBadge(visit, user)],
    [texts.role, user.roles?.length ? written(user.roles.join(', ')) : undefined],
    [texts.groups, groupLinks(visit, directory, user)],
    [texts.keys, actor && link(frame, pathWith('/people', { id: actor }), code(actor))],
    [texts.id, copyable(frame, user.id)],
    ...Object.entries(user.custom_attributes ?? {}).map(
      ([name, value]) => [name, written(textOf(value))] as const,
    ),
  ]);
  return directoryPage(visit, directory, {
    title: nameOf(user),
    tab: 'users',
    content: markup`${attributes}
<p>${link(frame, pathWith(requests, { resource_id: user.id }), texts.requests)}</p>
${section(texts.raw, listing(texts.raw, JSON.stringify(user.raw, null, 2)))}`,
  });
}

function nameOf({ raw, email, id }: User): string {
  const { userName } = raw;
  return typeof userName === 'string' && userName !== '' ? userName : email || id;
}

function activeBadge({ frame }: ConsoleVisit, { active }: User): Html {
  const { yes, no } = siteTexts(frame.language);
  return active ? badge('good', yes) : badge('quiet', no);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function groupLinks({ frame }: ConsoleVisit, { id }: Directory, { raw }: User): Html | undefined {
  const groups = referencesOf(raw['groups']);
  if (groups.length === 0) return undefined;
  return markup`<ul>${groups.map(
    ({ value, display }) =>
      markup`<li>${link(frame, `${PATH}/${id}/groups/${encodeURIComponent(value)}`, written(display || value))}</li>`,
  )}</ul>`;
}

/** The actor of keys that a user is by the key link; undefined if it has none. */
function actorOf(user: User, { attribute, actor_prefix, email_domains }: DirectoriesKeyLink) {
  const { id, email, raw, custom_attributes = {} } = user;
  const known = {
    ...custom_attributes,
    id,
    email,
    userName: raw['userName'],
    externalId: raw['externalId'],
  };
  const value: unknown = Object.hasOwn(known, attribute) && known[attribute as keyof typeof known];
  if (typeof value !== 'string' || value === '') return undefined;
  const domain = value.slice(value.lastIndexOf('@') + 1).toLowerCase();
  if (email_domains.length > 0 && !email_domains.includes(domain)) return undefined;
  const actor = actor_prefix + value;
  return actor.length > ACTOR_CHARACTERS_MAX ? undefined : actor;
}

interface Reference {
  readonly value: string;
  readonly display: string;
}

/** The groups of a SCIM user. */
function referencesOf(list: unknown): Reference[] {
  if (!Array.isArray(list)) return [];
  return list.map(({ value, display }: Partial<Reference>) => ({
    value: String(value),
    display: display ?? '',
  }));
}

async function groupsPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const directoryId = idOf(visit);
  const path = `${PATH}/${directoryId}/groups`;
  const texts = directoriesTexts(frame.language);
  const [directory, { rows, next }] = await Promise.all([
    directoryOf(visit),
    partOf(visit, { path }, (page) =>
      gatehouse.directories.groups.list.all({ directoryId, ...page }),
    ),
  ]);
  const list = table<Group>(frame, {
    caption: texts.groups,
    rows,
    next,
    empty: markup`<p>${texts.noGroups}</p>`,
    columns: [
      {
        head: texts.name,
        cell: ({ id, name }) => link(frame, `${path}/${id}`, written(name || id)),
      },
      {
        head: texts.members,
        cell: ({ members_total: total }) => number(frame, total ?? 0),
        isNumber: true,
      },
    ],
  });
  return directoryPage(visit, directory, { tab: 'groups', content: list });
}

async function groupPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params, query } = visit;
  const directoryId = idOf(visit);
  const texts = directoriesTexts(frame.language);
  const { groups } = gatehouse.directories;
  const id = params['group'] ?? '';
  const path = `${PATH}/${directoryId}`;
  const after = query.get('after') ?? '';
  const page = { after: isUuid(after) ? after : undefined, pageLimit: ROWS + 1 };
  const [directory, group, members] = await Promise.all([
    directoryOf(visit),
    groups.get({ id, directoryId, members: false }),
    groups.members({ id, directoryId, groups: true, ...page }),
  ]);
  const rows = members.slice(0, ROWS);
  const { user_id, group_id } = rows.at(-1) ?? {};
  const list = table<GroupMember>(frame, {
    caption: texts.members,
    rows,
    next:
      members.length > ROWS
        ? pathWith(`${path}/groups/${id}`, { after: user_id ?? group_id })
        : undefined,
    empty: markup`<p>${siteTexts(frame.language).none}</p>`,
    columns: [
      {
        head: texts.name,
        cell: ({ user_id, group_id = '', name }) =>
          user_id === undefined
            ? link(frame, `${path}/groups/${group_id}`, written(name || group_id))
            : link(frame, `${path}/users/${user_id}`, written(name || user_id)),
      },
      { head: texts.id, cell: ({ user_id, group_id = '' }) => code(user_id ?? group_id) },
    ],
  });
  return directoryPage(visit, directory, {
    title: group.name || group.id,
    tab: 'groups',
    content: markup`${facts([[texts.id, copyable(frame, group.id)]])}
${section(`${texts.members} (${number(frame, group.members_total ?? 0)})`, list)}
${section(texts.raw, listing(texts.raw, JSON.stringify(group.raw, null, 2)))}`,
  });
}
