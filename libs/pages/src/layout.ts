import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { frameTexts } from './frame-texts.js';
import { attributes, markup, type Html } from './html.js';
import { type Language } from './languages.js';
import { accentFault, accentStylesheet } from './palette.js';
import { type Theme } from './theme.js';

const STYLESHEET = readFileSync(new URL('./pages.css', import.meta.url));
const CSS = 'text/css; charset=utf-8';
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d4e"/><path d="M8 25V14a8 8 0 0 1 16 0v11m-8-17v17M8 17h16" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>';

/** A file that pages link to. Its name contains a hash of its content, so it is cached forever. */
export interface Asset {
  path: string;
  contentType: string;
  body: Buffer;
}

export const stylesheet = asset('pages', 'css', CSS, STYLESHEET);
export const icon = asset('icon', 'svg', 'image/svg+xml', Buffer.from(ICON));
export const assets: readonly Asset[] = [stylesheet, icon];

export interface PageFrame {
  language: Language;
  title: string;
  /** The path prefix of a gateway, such as `/forms`; usually empty. */
  basePath: string;
  theme: Theme;
  /** Class of the main element. */
  kind?: string;
  /** Further elements of the head. */
  head?: Html;
  /** Before the main element, in place of the name and logo of the theme. */
  top?: Html;
}

/** The document around a page's content. */
export function layout(frame: PageFrame, content: Html): string {
  const { language, title, basePath, theme, kind, head, top } = frame;
  return markup`<!doctype html>
<html${attributes({ lang: language, dir: 'ltr' })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet"${attributes({ href: basePath + stylesheet.path })}>
${accentLink(frame)}<link rel="icon" type="image/svg+xml"${attributes({ href: basePath + icon.path })}>
${head}</head>
<body>
${top ?? brand(theme)}
<main${attributes({ class: kind })}>
${content}
</main>
${links(frame)}
</body>
</html>
`.text;
}

const ACCENT_PATH = '/assets/accents/';
/** Changes with the colors that are derived from an accent. */
const PALETTE = '1';

function accentLink({ basePath, theme: { accent } }: PageFrame): Html | undefined {
  if (accent === undefined) return undefined;
  const file = `${accent.slice(1).toLowerCase()}.${PALETTE}.css`;
  return markup`<link rel="stylesheet"${attributes({ href: basePath + ACCENT_PATH + file })}>
`;
}

/** The stylesheet of an accent by its file name. Computed from the name, so nothing is stored. */
export function accentAsset(file: string): Asset | undefined {
  const accent = `#${/^([0-9a-f]{6})\.\d\.css$/.exec(file)?.[1] ?? ''}`;
  if (accentFault(accent) !== undefined) return undefined;
  const body = Buffer.from(accentStylesheet(accent));
  return { path: ACCENT_PATH + file, contentType: CSS, body };
}

function brand({ name, logo }: Theme): Html | undefined {
  if (name === undefined && logo === undefined) return undefined;
  return markup`<header class="brand">${
    logo !== undefined && markup`<img${attributes({ src: logo, alt: '' })}>`
  }${name !== undefined && markup`<span>${name}</span>`}</header>`;
}

function links({ language, theme: { terms, privacy } }: PageFrame): Html | undefined {
  const texts = frameTexts(language);
  const known = [
    { href: terms, text: texts.terms },
    { href: privacy, text: texts.privacy },
  ].filter(({ href }) => href !== undefined);
  if (known.length === 0) return undefined;
  return markup`<footer>${known.map(({ href, text }) => markup`<a${attributes({ href })}>${text}</a>`)}</footer>`;
}

export interface AllowedOrigins {
  /** Where a submission may redirect to: browsers apply `form-action` to redirects too. */
  returnOrigin?: string;
  logoOrigin?: string;
  /** Whether the page has scripts, all of them files of this origin. */
  hasScripts?: boolean;
}

/**
 * The Content-Security-Policy of every page: no styles of others, no images of others except the logo, and
 * no scripts unless the page has own ones.
 */
export function contentSecurityPolicy({
  returnOrigin,
  logoOrigin,
  hasScripts = false,
}: AllowedOrigins = {}): string {
  const formAction = returnOrigin === undefined ? "'self'" : `'self' ${returnOrigin}`;
  const images = logoOrigin === undefined ? "'self'" : `'self' ${logoOrigin}`;
  return [
    "default-src 'none'",
    ...(hasScripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    `img-src ${images}`,
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** A file under /assets. @param name that of the file, without what precedes its hash */
export function asset(name: string, extension: string, contentType: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, contentType, body };
}
