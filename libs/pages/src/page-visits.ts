/**
 * Visits of pages that a secret address opens: the session of a request by its cookie, the limits of
 * requests, and whether a submission comes from one of the pages of the session.
 */
import { DomainError, type ErrorCode, errorCodes, KitErrors } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { addressDigest } from './address-secret.js';
import { BrowserSession } from './browser-session.js';
import { csrfToken, isOfBrowser } from './csrf.js';
import { frameTexts } from './frame-texts.js';
import { type Language, pickLanguage } from './languages.js';
import { PageCookie } from './page-cookie.js';
import { PageLimits, type PageLimitsContext } from './page-limits.js';
import { type NoticeFrame, pageErrors, type PageErrorOptions, sendPage } from './page-reply.js';
import { PublicAddress } from './public-address.js';
import { type Theme } from './theme.js';
import { type SiteFrame, type VisitFrame } from './visit-frame.js';

const PageErrors = errorCodes({
  NO_COOKIES: { kind: 'permission_denied', message: 'The browser keeps no cookies.' },
});
/** How long a page may wait for the button that opens its address. */
const PROBE_MS = 86_400_000;

export interface PageSession {
  /** Signs the tokens of its forms. */
  readonly csrfKey: Buffer;
  /** The hash of the secret in its address. */
  readonly secretSha256: Buffer;
}

export interface PageVisitsOptions<Session, Call> extends PageLimitsContext {
  cookieName: string;
  /** Below which the pages are: `/setup`. */
  path: string;
  /** With the path prefix of a gateway. */
  publicUrl: string | undefined;
  theme: Theme;
  hasScripts?: boolean;
  /** The session of a cookie, if it is open. */
  find: (cookie: string) => Promise<Session | undefined>;
  idOf: (session: Session) => string;
  /** Null for the language of the browser. */
  languageOf: (session: Session) => Language | null;
  /** Where the error pages of a session lead. */
  wayBackOf: (session: Session, language: Language) => { path: string; text: string };
  callOf: (request: FastifyRequest, session: Session) => Call;
  /** The error of a request without a session. */
  gone: ErrorCode;
  /** The error of a submission that does not come from a page of its session. */
  foreign: ErrorCode;
}

/** A page request with an open session. */
export interface Visit<Session, Call> {
  cookie: string;
  session: Session;
  frame: VisitFrame<Session>;
  call: Call;
}

export class PageVisits<Session extends PageSession, Call> {
  readonly basePath: string;
  private readonly browser: BrowserSession;
  private readonly limits: PageLimits;
  /** The language of requests whose session has one, and where their error pages lead. */
  private readonly known = new WeakMap<FastifyRequest, Pick<NoticeFrame, 'language' | 'next'>>();

  constructor(private readonly options: PageVisitsOptions<Session, Call>) {
    const { publicUrl, path, cookieName } = options;
    const address = new PublicAddress({ publicUrl, allowedReturnUrls: [] });
    this.basePath = address.basePath + path;
    this.browser = new BrowserSession(cookieName, address);
    this.limits = new PageLimits(options);
  }

  /** @param language that of the session; by default that of the browser */
  frameOf(request: FastifyRequest, language: Language | null = null): SiteFrame {
    const { basePath } = this;
    const { theme } = this.options;
    return {
      language: language ?? pickLanguage(request.headers['accept-language']),
      basePath,
      theme,
    };
  }

  /** The answers to errors, in the language of the session. */
  errors(options: Pick<PageErrorOptions, 'noticeOf' | 'headers'>): ErrorProtocol {
    const { basePath } = this;
    const { theme } = this.options;
    return pageErrors({
      frameOf: (request) => ({ basePath, theme, ...(request && this.known.get(request)) }),
      headers: options.headers,
      noticeOf: (error, language) =>
        error.definition === PageErrors.NO_COOKIES
          ? frameTexts(language).noCookies
          : options.noticeOf(error, language),
    });
  }

  /**
   * Counts the request of an address, and returns the session of this browser if it became that: it leads
   * back into it.
   *
   * @throws DomainError `not_found` for what is no secret, `rate_limited`
   */
  async sessionOfAddress(request: FastifyRequest, secret: string): Promise<Session | undefined> {
    const digest = addressDigest(secret);
    if (!digest) throw new DomainError(KitErrors.NOT_FOUND);
    await this.limits.countStranger(request);
    const session = await this.sessionOf(request);
    return session?.secretSha256.equals(digest) ? session : undefined;
  }

  /** Counts the request of an address by the session that it opens. @throws DomainError `rate_limited` */
  countSession(id: string): Promise<void> {
    return this.limits.countSession(id);
  }

  /** Counts a request that needs no session, such as a sign-in. @throws DomainError `rate_limited` */
  countStranger(request: FastifyRequest): Promise<void> {
    return this.limits.countStranger(request);
  }

  /** @throws DomainError `gone` without a session that is open */
  async enter(request: FastifyRequest): Promise<Visit<Session, Call>> {
    const { languageOf, callOf, gone } = this.options;
    const session = await this.sessionOf(request);
    const cookie = this.cookieOf(request);
    if (!session || cookie === undefined) throw new DomainError(gone);
    const token = csrfToken(session.csrfKey, cookie);
    const frame = { ...this.frameOf(request, languageOf(session)), session, csrfToken: token };
    return { cookie, session, frame, call: callOf(request, session) };
  }

  /** As `enter`, for a submission. @throws DomainError `foreign` if it is not from a page of the session */
  async enterForm(
    request: FastifyRequest,
  ): Promise<Visit<Session, Call> & { form: URLSearchParams }> {
    this.requireOwnOrigin(request);
    const visit = await this.enter(request);
    const form = this.browser.formOf(request, visit.session.csrfKey);
    if (!form) throw new DomainError(this.options.foreign);
    return { ...visit, form };
  }

  /** Sends the page that opens an address, with a cookie that shows later whether the browser keeps any. */
  sendOpening(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
    if (this.cookieOf(request) === undefined) {
      this.setCookie(reply, PageCookie.newValue(), new Date(Date.now() + PROBE_MS));
    }
    return this.send(reply, page);
  }

  /**
   * An address opens once, so not for a browser that would lose the cookie. Programs that show no page need
   * none before.
   *
   * @param language that of the session
   * @throws DomainError `permission_denied`
   */
  requireCookies(request: FastifyRequest, language: Language | null): void {
    if (!isOfBrowser(request.headers) || this.cookieOf(request) !== undefined) return;
    this.leadBack(request, language);
    throw new DomainError(PageErrors.NO_COOKIES);
  }

  /** @param next where the error page of a request leads, and its language if that is not of the browser */
  leadBack(request: FastifyRequest, language: Language | null, next?: NoticeFrame['next']): void {
    this.known.set(request, { language: language ?? undefined, next });
  }

  cookieOf(request: FastifyRequest): string | undefined {
    return this.browser.cookieOf(request);
  }

  requireOwnOrigin(request: FastifyRequest): void {
    if (this.browser.isForeign(request)) throw new DomainError(this.options.foreign);
  }

  setCookie(reply: FastifyReply, cookie: string, expiresAt: Date): void {
    this.browser.setCookie(reply, cookie, expiresAt);
  }

  /** @param returnTo where a submission of the page may be redirected to */
  send(reply: FastifyReply, page: string, returnTo?: string | null): FastifyReply {
    const { theme, hasScripts } = this.options;
    return sendPage(reply, page, { theme, hasScripts, returnTo });
  }

  redirect(reply: FastifyReply, path: string): FastifyReply {
    return seeOther(reply, this.basePath + path);
  }

  /** The session of this browser, if it has one that is open. */
  private async sessionOf(request: FastifyRequest): Promise<Session | undefined> {
    const cookie = this.cookieOf(request);
    if (cookie === undefined) return undefined;
    const { find, idOf, languageOf, wayBackOf } = this.options;
    const session = await find(cookie);
    if (!session) {
      await this.limits.countStranger(request);
      return undefined;
    }
    const { language } = this.frameOf(request, languageOf(session));
    const { path, text } = wayBackOf(session, language);
    this.leadBack(request, language, { href: this.basePath + path, text });
    await this.limits.countSession(idOf(session));
    return session;
  }
}

/** Sends the browser on, also after a submission. */
export function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ 'cache-control': 'no-store', location }).send();
}
