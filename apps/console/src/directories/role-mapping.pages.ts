/** Which roles the groups of a directory give to its users. */
import {
  type Directory,
  GatehouseError,
  type RoleGroup,
  type RoleMapping,
  type RoleMappingInput,
  type RolePreview,
} from '@gatehouse/client';
import { attributes, type Html, markup } from '@gatehouse/pages';
import { actForm, areaField, confirmation } from '../parts/forms.js';
import { facts, table } from '../parts/table.js';
import { buttonLink, link, number, section, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages, type Redirect } from '../site/pages.js';
import { roleMappingTexts } from '../texts/role-mapping.texts.js';
import { siteTexts } from '../texts/site.texts.js';
import { directoryOf, directoryPage, idOf, orAgain, PATH, trailOf } from './directory-page.js';

/** What the form has before there is a mapping. */
const EXAMPLE: RoleMappingInput = {
  default_role: 'member',
  mode: 'highest',
  rules: [{ group: { display_name: 'Administrators' }, role: 'admin', priority: 10 }],
};

export function roleMappingPages(pages: Pages): void {
  const path = `${PATH}/:id/roles`;
  pages.show(path, mappingPage);
  pages.act(`${path}/preview`, preview);
  pages.act(path, save);
  pages.show(`${path}/delete`, deletePage);
  pages.act(`${path}/delete`, async (visit) => {
    await visit.gatehouse.directories.roleMapping.delete({ directoryId: idOf(visit) });
    return { path: `${PATH}/${idOf(visit)}/roles`, done: 'saved' };
  });
}

/** Undefined for a directory without a mapping. */
async function mappingOf(visit: ConsoleVisit): Promise<RoleMapping | undefined> {
  try {
    return await visit.gatehouse.directories.roleMapping.get({ directoryId: idOf(visit) });
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 404) return undefined;
    throw error;
  }
}

interface Edited {
  readonly json: string;
  readonly fault?: string;
}

async function mappingPage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const [directory, mapping] = await Promise.all([directoryOf(visit), mappingOf(visit)]);
  const texts = roleMappingTexts(frame.language);
  const canEdit = can(visit, 'dsync:admin');
  const json = JSON.stringify(mapping ? inputOf(mapping) : EXAMPLE, null, 2);
  return directoryPage(visit, directory, {
    tab: 'roles',
    content: markup`${mapping ? shown(visit, mapping) : markup`<p class="empty">${texts.empty}</p>`}
${canEdit && mapping && markup`<div class="acts">${buttonLink(frame, `${PATH}/${directory.id}/roles/delete`, texts.remove)}</div>`}
${canEdit && section(texts.edit, editForm(visit, { json }))}`,
  });
}

/** The mapping without what the service says about it. */
function inputOf({ default_role, mode, rules }: RoleMapping): RoleMappingInput {
  const own = rules.map(({ group, role, priority }) => ({ group, role, priority }));
  return { default_role, mode, rules: own };
}

function shown({ frame }: ConsoleVisit, mapping: RoleMapping): Html {
  const texts = roleMappingTexts(frame.language);
  const { users_processed: done, users_total: total, updated_at } = mapping.progress;
  const rules = table(frame, {
    caption: texts.rules,
    rows: mapping.rules,
    empty: markup`<p>${siteTexts(frame.language).none}</p>`,
    columns: [
      { head: texts.group, cell: ({ group }) => written(groupName(group)) },
      { head: texts.role, cell: ({ role }) => written(role) },
      { head: texts.priority, cell: ({ priority }) => priority, isNumber: true },
      { head: texts.groups, cell: ({ groups }) => number(frame, groups), isNumber: true },
    ],
  });
  return markup`${facts([
    [texts.defaultRole, mapping.default_role === null ? undefined : written(mapping.default_role)],
    [texts.mode, mapping.mode],
    [texts.applied, [`${number(frame, done)} / ${number(frame, total)} `, time(frame, updated_at)]],
  ])}
${section(texts.rules, rules)}`;
}

function groupName({ display_name, external_id, id }: RoleGroup): string {
  return display_name ?? external_id ?? id ?? '';
}

function editForm(visit: ConsoleVisit, { json, fault }: Edited): Html {
  const { frame } = visit;
  const texts = roleMappingTexts(frame.language);
  const field = { name: 'mapping', label: texts.mapping, hint: texts.hint, value: json, fault };
  return actForm(frame, {
    path: `${PATH}/${idOf(visit)}/roles/preview`,
    button: texts.preview,
    content: areaField({ ...field, isRequired: true }),
  });
}

async function preview(visit: ConsoleVisit, form: URLSearchParams): Promise<Page> {
  const json = form.get('mapping') ?? '';
  const { roleMapping } = visit.gatehouse.directories;
  const directory = await directoryOf(visit);
  return orAgain(
    async () => {
      const input = { ...read(json), directoryId: idOf(visit) };
      return previewPage(visit, directory, json, await roleMapping.preview(input));
    },
    (fault) => refusedPage(visit, directory, { json, fault }),
  );
}

async function save(visit: ConsoleVisit, form: URLSearchParams): Promise<Page | Redirect> {
  const json = form.get('mapping') ?? '';
  const directoryId = idOf(visit);
  return orAgain<Redirect>(
    async () => {
      await visit.gatehouse.directories.roleMapping.set({ ...read(json), directoryId });
      return { path: `${PATH}/${directoryId}/roles`, done: 'saved' };
    },
    async (fault) => refusedPage(visit, await directoryOf(visit), { json, fault }),
  );
}

/** @throws SyntaxError for what is no JSON; the service decides on the rest */
function read(json: string): RoleMappingInput {
  return JSON.parse(json) as RoleMappingInput;
}

function refusedPage(visit: ConsoleVisit, directory: Directory, edited: Edited): Page {
  const { edit } = roleMappingTexts(visit.frame.language);
  return directoryPage(visit, directory, {
    title: edit,
    tab: 'roles',
    status: 400,
    content: editForm(visit, edited),
  });
}

function previewPage(
  visit: ConsoleVisit,
  directory: Directory,
  json: string,
  found: RolePreview,
): Page {
  const { frame } = visit;
  const texts = roleMappingTexts(frame.language);
  const roles = table(frame, {
    caption: texts.previewTitle,
    rows: found.roles.filter(({ gained, lost }) => gained + lost > 0),
    empty: markup`<p>${texts.noChanges}</p>`,
    columns: [
      { head: texts.role, cell: ({ role }) => written(role) },
      { head: texts.gained, cell: ({ gained }) => number(frame, gained), isNumber: true },
      { head: texts.lost, cell: ({ lost }) => number(frame, lost), isNumber: true },
    ],
  });
  const users = `${PATH}/${directory.id}/users`;
  const examples = found.examples.map(
    ({ user, previous, current }) =>
      markup`<li>${link(frame, `${users}/${user.id}`, written(user.email || user.id))}: ${written(previous.join(', '))} → ${written(current.join(', '))}</li>`,
  );
  return directoryPage(visit, directory, {
    title: texts.previewTitle,
    tab: 'roles',
    content: markup`<p class="lead">${texts.changesOf(number(frame, found.users_changed), number(frame, found.users))} ${
      !found.is_complete && texts.incomplete
    }</p>
${roles}
${actForm(frame, {
  path: `${PATH}/${directory.id}/roles`,
  button: texts.save,
  content: markup`<input type="hidden" name="mapping"${attributes({ value: json })}>`,
  cancel: `${PATH}/${directory.id}/roles`,
})}
${examples.length > 0 && section(texts.examples, markup`<ul>${examples}</ul>`)}
${section(texts.edit, editForm(visit, { json }))}`,
  });
}

async function deletePage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const texts = roleMappingTexts(frame.language);
  const [directory, mapping] = await Promise.all([directoryOf(visit), mappingOf(visit)]);
  const { users_total: users = 0 } = mapping?.progress ?? {};
  return confirmation(frame, {
    section: 'directories',
    trail: trailOf(frame, directory, 'roles'),
    title: `${texts.remove}: ${directory.name}`,
    lead: markup`<p>${texts.removeText(number(frame, users))}</p>`,
    path: `${PATH}/${directory.id}/roles/delete`,
    button: texts.remove,
  });
}
