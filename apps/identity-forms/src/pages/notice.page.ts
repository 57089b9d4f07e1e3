import { type Language } from '@gatehouse/form-decoder';
import { type Theme } from '../theme/theme.js';
import { attributes, markup, type Html } from './html.js';
import { layout } from './layout.js';
import { pageTexts, type PageTexts } from './page-texts.js';

/** Pages with a single message, such as "done", "expired" or "not found". */
export type Notice = {
  [K in keyof PageTexts]: PageTexts[K] extends { title: string; text: string } ? K : never;
}[keyof PageTexts];

export interface NoticeContext {
  language: Language;
  basePath: string;
  theme: Theme;
  /** The link to the next page. */
  next?: { href: string; kind: 'goOn' | 'goBack' | 'startAgain' };
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
  notice: Notice,
  { language, basePath, theme, next, detail, reference }: NoticeContext,
): string {
  const texts = pageTexts(language);
  const { title, text } = texts[notice];
  const isDone = notice === 'doneSignUp' || notice === 'doneProfile';
  return layout(
    { language, title, basePath, theme, kind: isDone ? 'notice' : 'notice is-fault' },
    markup`${isDone ? DONE : STOPPED}
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${detail !== undefined && markup`<p class="detail" lang="en">${detail}</p>`}
      ${next && markup`<p class="next"><a class="button"${attributes({ href: next.href })}>${texts[next.kind]}</a></p>`}
      ${referenceLine(texts, reference)}`,
  );
}

function referenceLine(texts: PageTexts, reference: string | undefined): Html | undefined {
  if (reference === undefined) return undefined;
  return markup`<p class="reference">${texts.reference}: <code>${reference}</code></p>`;
}
