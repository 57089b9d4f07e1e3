/** What is done to a directory: its secret, its state, its end. */
import { type Directory } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { actForm, selectField } from '../parts/forms.js';
import { pathWith } from '../parts/table.js';
import { shownOnce } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { siteTexts } from '../texts/site.texts.js';
import {
  directoryConfirmation,
  directoryOf,
  directoryPage,
  entered,
  idOf,
  PATH,
} from './directory-page.js';
import { lengths } from './lengths.js';
import { firstOf } from './lists.js';

/** More of them are not counted before a directory is deleted. */
const COUNTED_MAX = 100;

export function directoryActs(pages: Pages): void {
  pages.show(`${PATH}/:id/rotate-secret`, rotatePage);
  pages.actOnce(
    `${PATH}/:id/rotate-secret`,
    (visit) => pathWith('/audit', { target: idOf(visit) }),
    async (visit, form) => {
      const input = { id: idOf(visit), overlap: entered(form, 'overlap') };
      return rotatedPage(visit, await visit.gatehouse.directories.rotateSecret(input));
    },
  );
  pages.show(`${PATH}/:id/deactivate`, deactivatePage);
  pages.act(`${PATH}/:id/deactivate`, async (visit) => {
    await visit.gatehouse.directories.update({ id: idOf(visit), deactivated: true });
    return { path: `${PATH}/${idOf(visit)}`, done: 'directory-deactivated' };
  });
  pages.act(`${PATH}/:id/activate`, async (visit) => {
    await visit.gatehouse.directories.update({ id: idOf(visit), deactivated: false });
    return { path: `${PATH}/${idOf(visit)}`, done: 'directory-activated' };
  });
  pages.show(`${PATH}/:id/delete`, deletePage);
  pages.act(`${PATH}/:id/delete`, async (visit) => {
    await visit.gatehouse.directories.delete({ id: idOf(visit) });
    return { path: PATH, done: 'directory-deleted' };
  });
}

async function rotatePage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const texts = directoriesTexts(frame.language);
  const directory = await directoryOf(visit);
  const overlap = selectField({
    name: 'overlap',
    label: texts.overlap,
    value: '24h',
    choices: [['', siteTexts(frame.language).none], ...lengths(frame, '1h', '24h', '7d', '30d')],
  });
  return directoryPage(visit, directory, {
    title: texts.rotate,
    content: markup`<p class="lead">${texts.rotateText}</p>
${actForm(frame, {
  path: `${PATH}/${directory.id}/rotate-secret`,
  button: texts.rotate,
  content: overlap,
  cancel: `${PATH}/${directory.id}`,
})}`,
  });
}

function rotatedPage(visit: ConsoleVisit, directory: Directory): Page {
  const { frame } = visit;
  const texts = directoriesTexts(frame.language);
  return directoryPage(visit, directory, {
    title: texts.rotate,
    content: shownOnce(frame, texts.secret, directory.scim.secret),
  });
}

async function deactivatePage(visit: ConsoleVisit): Promise<Page> {
  const texts = directoriesTexts(visit.frame.language);
  const directory = await directoryOf(visit);
  return directoryConfirmation(visit, directory, {
    title: texts.deactivateTitle(directory.name),
    consequences: markup`<p>${texts.deactivateText}</p>`,
    act: 'deactivate',
    button: texts.deactivate,
  });
}

async function deletePage(visit: ConsoleVisit): Promise<Page> {
  const texts = directoriesTexts(visit.frame.language);
  const { directories } = visit.gatehouse;
  const id = idOf(visit);
  const page = { directoryId: id, pageLimit: COUNTED_MAX + 1 };
  const [directory, users, groups, { webhook_endpoints: endpoints }] = await Promise.all([
    directoryOf(visit),
    firstOf(directories.users.list.all(page), COUNTED_MAX + 1),
    firstOf(directories.groups.list.all(page), COUNTED_MAX + 1),
    directories.webhookEndpoints.list({ directoryId: id }),
  ]);
  const count = ({ length }: readonly unknown[]) =>
    length > COUNTED_MAX ? `> ${COUNTED_MAX}` : String(length);
  return directoryConfirmation(visit, directory, {
    title: texts.deleteTitle(directory.name),
    consequences: markup`<ul>
<li>${texts.tabs.users}: ${count(users)}</li>
<li>${texts.tabs.groups}: ${count(groups)}</li>
<li>${texts.endpoints}: ${count(endpoints)}</li></ul>
<p>${texts.deleteText}</p>`,
    act: 'delete',
    button: texts.delete,
  });
}
