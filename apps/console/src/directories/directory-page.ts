/** The pages of one directory: where they are, and the way from each to the others. */
import { type Directory } from '@gatehouse/client';
import { attributes, type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { refusalOf } from '../parts/refusal.js';
import { written } from '../parts/text.js';
import { pathWith } from '../parts/table.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { type ConsoleVisit } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';

export const PATH = '/directories';
const TABS = ['users', 'groups', 'requests', 'runs', 'roles'] as const;
type Tab = (typeof TABS)[number];

interface DirectoryPage {
  /** The name of the tab by default. */
  readonly title?: string;
  readonly tab?: Tab;
  readonly content: HtmlPart;
  readonly status?: number;
}

/** The id of the directory in the path. */
export function idOf({ params }: ConsoleVisit): string {
  return params['id'] ?? '';
}

/** The directory that the path names, without secrets. */
export function directoryOf(visit: ConsoleVisit): Promise<Directory> {
  return visit.gatehouse.directories.get({ id: idOf(visit), secrets: false });
}

export function directoryPage(
  { frame }: ConsoleVisit,
  directory: Directory,
  { title, tab, content, status }: DirectoryPage,
): Page {
  const { id, name, type } = directory;
  const texts = directoriesTexts(frame.language);
  const path = `${PATH}/${id}`;
  // A workspace directory receives no SCIM requests.
  const tabs = type === 'workspace' ? TABS.filter((each) => each !== 'requests') : TABS;
  const links: (readonly [path: string, text: string, isHere: boolean])[] = [
    ...tabs.map((each) => [`${path}/${each}`, texts[each], each === tab] as const),
    [pathWith(`${PATH}/links`, { directory_id: id }), texts.setupLinks, false],
    [pathWith('/audit', { target: id }), texts.audit, false],
  ];
  const isTop = title === undefined && tab === undefined;
  return {
    title: title ?? (tab && texts[tab]) ?? name,
    section: 'directories',
    trail: isTop
      ? trailOf(frame)
      : trailOf(frame, directory, title === undefined ? undefined : tab),
    status,
    content: markup`<nav class="tabs"${attributes({ 'aria-label': name })}><ul>${links.map(
      ([to, text, isHere]) =>
        markup`<li><a${attributes({ href: frame.basePath + to, 'aria-current': isHere && 'page' })}>${text}</a></li>`,
    )}</ul></nav>
${content}`,
  };
}

/** The pages above one of a directory. */
export function trailOf(
  { language }: ConsoleFrame,
  directory?: Pick<Directory, 'id' | 'name'>,
  tab?: Tab,
) {
  const texts = directoriesTexts(language);
  const trail = [{ path: PATH, text: texts.directories }];
  if (directory) trail.push({ path: `${PATH}/${directory.id}`, text: directory.name });
  if (directory && tab) trail.push({ path: `${PATH}/${directory.id}/${tab}`, text: texts[tab] });
  return trail;
}

/** A long text of others, which scrolls in its box. */
export function listing(label: string, text: string): Html {
  return markup`<pre translate="no" tabindex="0" role="region"${attributes({ 'aria-label': label })}>${written(text)}</pre>`;
}

/** A text of a form; undefined if it is empty. */
export function entered(form: URLSearchParams, name: string): string | undefined {
  return form.get(name)?.trim() || undefined;
}

/**
 * Does what a form asks for.
 * @param again the form with what was entered, and why a service, or the parser of JSON, refused it
 */
export async function orAgain<Done>(
  work: () => Promise<Done>,
  again: (fault: string) => Page | Promise<Page>,
): Promise<Done | Page> {
  try {
    return await work();
  } catch (error) {
    return again(error instanceof SyntaxError ? error.message : refusalOf(error));
  }
}
