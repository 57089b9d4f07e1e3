import { frameTexts } from './frame-texts.js';
import { attributes, type Html, markup } from './html.js';
import { type Language } from './languages.js';
import { layout } from './layout.js';
import { type Theme } from './theme.js';

/** A page with a single message, such as "done", "expired" or "not found". */
export interface Notice {
  title: string;
  text: string;
  isDone?: boolean;
}

export interface NoticeContext {
  language: Language;
  basePath: string;
  theme: Theme;
  /** The link to the next page. */
  next?: { href: string; text: string };
  /** The error message, which names the field; always in English. */
  detail?: string;
  /** The request id, for support requests. */
  reference?: string;
}

const DONE = markup`<svg class="mark" viewBox="0 0 56 56" fill="none" aria-hidden="true">
  <circle cx="28" cy="28" r="26" stroke="currentColor" stroke-width="3" />
  <path
    d="m17 29 8 8 15-17"
    stroke="currentColor"
    stroke-width="4"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`;
const STOPPED = markup`<svg class="mark" viewBox="0 0 56 56" fill="none" aria-hidden="true">
  <circle cx="28" cy="28" r="26" stroke="currentColor" stroke-width="3" />
  <path d="M28 15v17" stroke="currentColor" stroke-width="4" stroke-linecap="round" />
  <circle cx="28" cy="40.5" r="2.6" fill="currentColor" />
</svg>`;

export function noticePage(
  { title, text, isDone = false }: Notice,
  { language, basePath, theme, next, detail, reference }: NoticeContext,
): string {
  return layout(
    { language, title, basePath, theme, kind: isDone ? 'notice' : 'notice is-fault' },
    markup`${isDone ? DONE : STOPPED}
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${detail !== undefined && markup`<p class="detail" lang="en">${detail}</p>`}
      ${next && markup`<p class="next"><a class="button"${attributes({ href: next.href })}>${next.text}</a></p>`}
      ${referenceLine(language, reference)}`,
  );
}

function referenceLine(language: Language, reference: string | undefined): Html | undefined {
  if (reference === undefined) return undefined;
  return markup`<p class="reference">${frameTexts(language).reference}: <code>${reference}</code></p>`;
}
