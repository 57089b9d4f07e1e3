/**
 * Pages that work without scripts: markup, layout and theme, languages, the cookie and the token that
 * bind a form to a browser, addresses with a secret, and errors as pages.
 */
export { addressDigest, newAddressSecret } from './address-secret.js';
export { AssetRoutes, sendAsset } from './asset.routes.js';
export { takeForms } from './browser-session.js';
export { CSRF_FIELD, csrfInput, csrfToken, isCsrfToken, isForeign } from './csrf.js';
export { frameTexts } from './frame-texts.js';
export { attributes, escapeHtml, Html, type HtmlPart, markup, nothing } from './html.js';
export { type Language, LANGUAGES, pickLanguage } from './languages.js';
export { type Asset, asset, layout, type PageFrame } from './layout.js';
export { prefersJson, prefersPage, wantsJson } from './negotiation.js';
export { type Notice, type NoticeContext, noticePage } from './notice.page.js';
export { PageCookie } from './page-cookie.js';
export { PageVisits, seeOther, type Visit } from './page-visits.js';
export { type NoticeFrame, pageErrors, type PageErrorOptions, sendPage } from './page-reply.js';
export { accentFault } from './palette.js';
export { PublicAddress, type PublicAddressOptions } from './public-address.js';
export { ReturnUrlsConfig, ThemeConfig } from './pages.config.js';
export { HasNoFault, IsWebAddress } from './setting-rules.js';
export { utcDay, utcTime } from './times.js';
export { sessionForm, type SiteFrame, type VisitFrame } from './visit-frame.js';
export {
  NAME_CHARACTERS_MAX,
  readTheme,
  type Theme,
  type ThemeFault,
  themeFaults,
  urlFault,
} from './theme.js';
