import { csrfInput } from './csrf.js';
import { attributes, type Html, markup } from './html.js';
import { type Language } from './languages.js';
import { type Theme } from './theme.js';

/** The frame of all pages of a service. */
export interface SiteFrame {
  language: Language;
  /** With the prefix of a gateway, and the path of the pages: `/setup`. */
  basePath: string;
  theme: Theme;
}

/** The frame of all pages of a session. */
export interface VisitFrame<Session> extends SiteFrame {
  session: Session;
  csrfToken: string;
}

/** A form of a session: its fields, and the token that binds it to this browser. */
export function sessionForm(
  { basePath, csrfToken }: VisitFrame<unknown>,
  path: string,
  content: Html,
): Html {
  return markup`<form method="post" novalidate accept-charset="utf-8"${attributes({ action: basePath + path })}>
${csrfInput(csrfToken)}
${content}
</form>`;
}
