/** The frame of all pages of the console: sections, search, and who is signed in. */
import { attributes, type Html, layout, markup, nothing, type VisitFrame } from '@gatehouse/pages';
import { type Session } from '../sessions/session.js';
import { type Done, siteTexts } from '../texts/site.texts.js';
import { consoleScript, consoleStylesheet } from './console-assets.js';

export interface ConsoleFrame extends VisitFrame<Session> {
  /** The time zone of the reader, if the browser has said so. */
  readonly timeZone: string | undefined;
}

const SECTIONS = {
  overview: '',
  keys: '/keys',
  people: '/people',
  directories: '/directories',
  webhooks: '/webhooks',
  forms: '/forms',
  audit: '/audit',
  access: '/access',
} as const;
export type Section = keyof typeof SECTIONS;

export interface Page {
  readonly title: string;
  readonly section?: Section;
  /** The pages above this one, the topmost first. */
  readonly trail?: readonly { readonly path: string; readonly text: string }[];
  readonly content: Html;
  /** 200 by default. */
  readonly status?: number;
}

/** @param done what was done before */
export function consolePage(frame: ConsoleFrame, page: Page, done?: string): string {
  const { title, section, trail = [], content } = page;
  const texts = siteTexts(frame.language);
  return layout(
    {
      ...frame,
      title: `${title} · ${frame.theme.name ?? 'Gatehouse'}`,
      kind: 'console',
      head: consoleHead(frame.basePath),
      top: markup`<a class="skip" href="#content">${texts.skip}</a>
<header class="top">
<a class="home"${attributes({ href: `${frame.basePath}/` })}>${frame.theme.name ?? 'Gatehouse'}</a>
${searchForm(frame)}
<span class="person"><bdi translate="no">${frame.session.name}</bdi> <small translate="no">${frame.session.role}</small>
<a${attributes({ href: `${frame.basePath}/sign-out` })}>${texts.signOut}</a></span>
</header>
<nav class="sections"${attributes({ 'aria-label': texts.sections })}><ul>${Object.entries(
        SECTIONS,
      ).map(
        ([name, path]) =>
          markup`<li><a${attributes({
            href: `${frame.basePath}${path || '/'}`,
            'aria-current': name === section && 'page',
          })}>${texts[name as Section]}</a></li>`,
      )}</ul></nav>`,
    },
    markup`${trail.length > 0 && trailOf(frame, trail)}
<h1 id="content" tabindex="-1"><bdi>${title}</bdi></h1>
${doneLine(frame, done)}
${content}`,
  );
}

export function consoleHead(basePath: string): Html {
  return markup`<link rel="stylesheet"${attributes({ href: basePath + consoleStylesheet.path })}>
<script type="module"${attributes({ src: basePath + consoleScript.path })}></script>
`;
}

function searchForm({ basePath, language }: ConsoleFrame): Html {
  const { search, searchHint } = siteTexts(language);
  return markup`<form class="search" role="search" method="get"${attributes({ action: `${basePath}/search` })}>
<input type="search" name="q" required maxlength="255" autocomplete="off" spellcheck="false"${attributes(
    {
      'aria-label': search,
      placeholder: searchHint,
      'data-palette': true,
    },
  )}>
<button class="secondary" type="submit">${search}</button></form>`;
}

function trailOf({ basePath }: ConsoleFrame, trail: NonNullable<Page['trail']>): Html {
  return markup`<ol class="trail">${trail.map(
    ({ path, text }) =>
      markup`<li><a${attributes({ href: basePath + path })}><bdi>${text}</bdi></a></li>`,
  )}</ol>`;
}

function doneLine({ language }: ConsoleFrame, done: string | undefined): Html {
  const texts = siteTexts(language).done;
  if (done === undefined || !Object.hasOwn(texts, done)) return nothing;
  return markup`<p class="done" role="status">${texts[done as Done]}</p>`;
}
