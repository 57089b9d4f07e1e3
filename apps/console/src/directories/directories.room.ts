/** Directories: which work, why one does not, and what its provider sends. */
import { type ListedDirectory } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { checkField, filterForm, selectField, textField } from '../parts/forms.js';
import { table } from '../parts/table.js';
import { buttonLink, link, written } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { directoryActs } from './directory.acts.js';
import { PATH } from './directory-page.js';
import { directoryPages } from './directory.pages.js';
import { healthBadge, isHealthState } from './health.js';
import { filtersOf, partOf } from './lists.js';
import { peoplePages } from './people.pages.js';
import { requestPages } from './request.pages.js';
import { roleMappingPages } from './role-mapping.pages.js';
import { runPages } from './run.pages.js';
import { setupLinkPages } from './setup-link.pages.js';

export function directoriesRoom(pages: Pages): void {
  pages.show(PATH, listPage);
  setupLinkPages(pages);
  directoryPages(pages);
  directoryActs(pages);
  peoplePages(pages);
  requestPages(pages);
  runPages(pages);
  roleMappingPages(pages);
}

async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const texts = directoriesTexts(frame.language);
  const filters = filtersOf(visit, ['tenant', 'product', 'state', 'has_errors', 'quiet']);
  const { tenant, product } = filters;
  const state = isHealthState(filters.state) ? filters.state : undefined;
  const has_errors = filters.has_errors === 'true' ? true : undefined;
  const quiet = filters.quiet === 'true' ? true : undefined;
  const { rows, next } = await partOf(visit, { path: PATH, filters }, (page) =>
    gatehouse.directories.list.all({
      tenant,
      product,
      state,
      has_errors,
      quiet,
      secrets: false,
      ...page,
    }),
  );
  const list = table<ListedDirectory>(frame, {
    caption: texts.directories,
    rows,
    next,
    empty: markup`<p>${texts.empty}</p><p>${link(frame, `${PATH}/new-link`, texts.newLink)}</p>`,
    columns: [
      { head: texts.name, cell: ({ id, name }) => link(frame, `${PATH}/${id}`, written(name)) },
      { head: texts.tenant, cell: (each) => written(each.tenant) },
      { head: texts.product, cell: (each) => written(each.product) },
      { head: texts.type, cell: ({ type, workspace_provider }) => workspace_provider ?? type },
      { head: texts.health, cell: (each) => healthCell(visit, each) },
      { head: '', cell: ({ id }) => link(frame, `${PATH}/${id}/roles`, texts.roles) },
    ],
  });
  return {
    title: texts.directories,
    section: 'directories',
    content: markup`<div class="acts">${
      can(visit, 'dsync:admin') && buttonLink(frame, `${PATH}/new-link`, texts.newLink)
    }${buttonLink(frame, `${PATH}/links`, texts.setupLinks)}</div>
${filterForm(frame, PATH, [
  textField({ name: 'tenant', label: texts.tenant, value: tenant }),
  textField({ name: 'product', label: texts.product, value: product }),
  selectField({
    name: 'state',
    label: texts.health,
    value: state,
    choices: [['', texts.all], ...Object.entries(texts.states)],
  }),
  checkField({ name: 'has_errors', label: texts.hasErrors, value: 'true' }, has_errors),
  checkField({ name: 'quiet', label: texts.onlyQuiet, value: 'true' }, quiet),
])}
${list}`,
  };
}

function healthCell({ frame }: ConsoleVisit, directory: ListedDirectory): Html {
  const { state, errors } = directory.health;
  const states = errors.length === 0 ? [state] : errors.map((error) => error.state);
  return markup`${states.map((each) => markup`<div>${healthBadge(frame, directory, each)}</div>`)}`;
}
