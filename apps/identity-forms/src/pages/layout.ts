import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Language } from '@gatehouse/form-decoder';
import { attributes, markup, type Html } from './html.js';

const STYLESHEET = readFileSync(new URL('./forms.css', import.meta.url));
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d4e"/><path d="M8 25V14a8 8 0 0 1 16 0v11m-8-17v17M8 17h16" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>';

/** A file that pages link to. Its name contains a hash of its content, so it is cached forever. */
export interface Asset {
  path: string;
  contentType: string;
  body: Buffer;
}

export const stylesheet = asset('forms', 'css', 'text/css; charset=utf-8', STYLESHEET);
export const icon = asset('icon', 'svg', 'image/svg+xml', Buffer.from(ICON));
export const assets: readonly Asset[] = [stylesheet, icon];

export interface PageFrame {
  language: Language;
  title: string;
  /** The path prefix of a gateway, such as `/forms`; usually empty. */
  basePath: string;
  /** Class of the main element. */
  kind?: string;
}

/** The document around a page's content. */
export function layout({ language, title, basePath, kind }: PageFrame, content: Html): string {
  return markup`<!doctype html>
<html${attributes({ lang: language, dir: 'ltr' })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet"${attributes({ href: basePath + stylesheet.path })}>
<link rel="icon" type="image/svg+xml"${attributes({ href: basePath + icon.path })}>
</head>
<body>
<main${attributes({ class: kind })}>
${content}
</main>
</body>
</html>
`.text;
}

/**
 * The Content-Security-Policy of every page: no scripts, and only our own styles and images.
 *
 * @param returnOrigin an origin that a submission may redirect to, because browsers apply
 *   `form-action` to redirects too
 */
export function contentSecurityPolicy(returnOrigin?: string): string {
  const formAction = returnOrigin === undefined ? "'self'" : `'self' ${returnOrigin}`;
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function asset(name: string, extension: string, contentType: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, contentType, body };
}
