/** What is done to a directory: its secret, its state, its end. */
import { type Directory } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { actPage, confirmation, selectField } from '../parts/forms.js';
import { shownOnce } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { directoryOf, directoryPage, entered, idOf, PATH, trailOf } from './directory-page.js';
import { lengths } from './lengths.js';
import { firstOf } from './lists.js';

/** More of them are not counted before a directory is deleted. */
const COUNTED_MAX = 100;

export function directoryActs(pages: Pages): void {
  pages.show(`${PATH}/:id/rotate-secret`, rotatePage);
  pages.act(`${PATH}/:id/rotate-secret`, async (visit, form) => {
    const input = { id: idOf(visit), overlap: entered(form, 'overlap') };
    return rotatedPage(visit, await visit.gatehouse.directories.rotateSecret(input));
  });
  pages.show(`${PATH}/:id/deactivate`, deactivatePage);
  for (const act of ['deactivate', 'activate'] as const) {
    pages.act(`${PATH}/:id/${act}`, async (visit) => {
      const deactivated = act === 'deactivate';
      await visit.gatehouse.directories.update({ id: idOf(visit), deactivated });
      return { path: `${PATH}/${idOf(visit)}`, done: 'saved' };
    });
  }
  pages.show(`${PATH}/:id/delete`, deletePage);
  pages.act(`${PATH}/:id/delete`, async (visit) => {
    await visit.gatehouse.directories.delete({ id: idOf(visit) });
    return { path: PATH, done: 'deleted' };
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
    choices: [['', texts.none], ...lengths(frame, '1h', '24h', '7d', '30d')],
  });
  return actPage(frame, {
    section: 'directories',
    trail: trailOf(frame, directory),
    lead: markup`<p>${texts.rotateText}</p>`,
    path: `${PATH}/${directory.id}/rotate-secret`,
    button: texts.rotateSecret,
    content: overlap,
  });
}

function rotatedPage(visit: ConsoleVisit, directory: Directory): Page {
  const { frame } = visit;
  const texts = directoriesTexts(frame.language);
  return directoryPage(visit, directory, {
    title: texts.rotateSecret,
    content: shownOnce(frame, texts.secret, directory.scim.secret),
  });
}

async function deactivatePage(visit: ConsoleVisit): Promise<Page> {
  const texts = directoriesTexts(visit.frame.language);
  const directory = await directoryOf(visit);
  return confirmation(visit.frame, {
    section: 'directories',
    trail: trailOf(visit.frame, directory),
    title: `${texts.deactivate}: ${directory.name}`,
    lead: markup`<p>${texts.deactivateText}</p>`,
    path: `${PATH}/${directory.id}/deactivate`,
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
  return confirmation(visit.frame, {
    section: 'directories',
    trail: trailOf(visit.frame, directory),
    title: `${texts.delete}: ${directory.name}`,
    lead: markup`<ul>
<li>${texts.users}: ${count(users)}</li>
<li>${texts.groups}: ${count(groups)}</li>
<li>${texts.endpoints}: ${count(endpoints)}</li></ul>
<p>${texts.deleteText}</p>`,
    path: `${PATH}/${directory.id}/delete`,
    button: texts.delete,
  });
}
