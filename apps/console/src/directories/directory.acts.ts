/** What is done to a directory: its secret, and its state. */
import { type Directory } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { actPage, confirmation, selectField } from '../parts/forms.js';
import { pathWith } from '../parts/table.js';
import { shownOnce } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { directoryOf, directoryPage, entered, idOf, PATH, trailOf } from './directory-page.js';
import { lengths } from './lengths.js';

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
  for (const act of ['deactivate', 'activate'] as const) {
    pages.act(`${PATH}/:id/${act}`, async (visit) => {
      const deactivated = act === 'deactivate';
      await visit.gatehouse.directories.update({ id: idOf(visit), deactivated });
      return { path: `${PATH}/${idOf(visit)}`, done: 'saved' };
    });
  }
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
