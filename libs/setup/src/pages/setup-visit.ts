/** The session of a request for a page, and whether a submission comes from one of our pages. */
import { SETUP_PATH } from '../links/setup-links.js';
import { type SetupAction } from '../links/setup.types.js';
import { type SetupSession } from '../links/setup-sessions.js';
import {
  BrowserSession,
  csrfToken,
  type Language,
  PageLimits,
  pickLanguage,
  PublicAddress,
  type Theme,
} from '@gatehouse/pages';
import { type CallContext, ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, errorCodes, KitErrors } from '@gatehouse/kit/errors';
import { type RedisClient } from '@gatehouse/kit/redis';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { REDIS } from '@gatehouse/nest-kit/redis';
import { KeyRing } from '@gatehouse/crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { SETUP, SETUP_CONFIG, type Setup, type SetupConfig } from '../setup.tokens.js';
import { type SessionFrame, type SetupFrame } from './setup-frame.js';

const PageErrors = errorCodes({
  GONE: { kind: 'gone', message: 'The setup link or session does not work any more.' },
  CSRF: { kind: 'permission_denied', message: 'The submission came from another site.' },
});

/** A page request with an open session. */
export interface Visit {
  cookie: string;
  frame: SessionFrame;
  call: CallContext;
}

@Injectable()
export class SetupVisits {
  readonly theme: Theme;
  readonly browser: BrowserSession;
  readonly limits: PageLimits;
  readonly basePath: string;
  /** Of requests whose link has one. */
  private readonly languages = new WeakMap<FastifyRequest, Language>();

  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly addresses: ClientAddresses,
    @Inject(SETUP_CONFIG) config: SetupConfig,
    @Inject(REDIS) redis: RedisClient,
    @Inject(LOGGER) logger: Logger,
  ) {
    const address = new PublicAddress({ publicUrl: config.externalUrl, allowedReturnUrls: [] });
    this.basePath = address.basePath + SETUP_PATH;
    this.browser = new BrowserSession('gatehouse_setup', address);
    const prefix = `${config.redis.namespace}dsync:setup:`;
    const { key } = KeyRing.fromTexts(config.encryptionKeys).forPurpose('setup-clients').current;
    this.limits = new PageLimits({ redis, logger, addresses, prefix, key });
    this.theme = config.theme;
  }

  /** @param locale that of the link; by default the language of the browser */
  frameOf(request: FastifyRequest, locale: Language | null = null): SetupFrame {
    const language = locale ?? pickLanguage(request.headers['accept-language']);
    return { language, basePath: this.basePath, theme: this.theme };
  }

  /** The language of error pages; undefined for that of the browser. */
  languageOf(request: FastifyRequest | undefined): Language | undefined {
    return request && this.languages.get(request);
  }

  callOf(request: FastifyRequest): CallContext {
    return this.addresses.callContext(request, 'setup-link');
  }

  /** @throws DomainError `gone` without a session that is open */
  async enter(request: FastifyRequest): Promise<Visit> {
    const session = await this.sessionOf(request);
    if (!session) throw new DomainError(PageErrors.GONE);
    const cookie = this.browser.cookieOf(request) as string;
    const frame = {
      ...this.frameOf(request, session.locale),
      session,
      csrfToken: csrfToken(session.csrfKey, cookie),
    };
    return { cookie, frame, call: this.callOf(request) };
  }

  /** As `enter`, for a submission. @throws DomainError `permission_denied` if it is not from our page */
  async enterForm(request: FastifyRequest): Promise<Visit & { form: URLSearchParams }> {
    this.requireOwnOrigin(request);
    const visit = await this.enter(request);
    const form = this.browser.formOf(request, visit.frame.session.csrfKey);
    if (!form) throw new DomainError(PageErrors.CSRF);
    return { ...visit, form };
  }

  /** The session of this browser, if it has one that is open. */
  async sessionOf(request: FastifyRequest): Promise<SetupSession | undefined> {
    const cookie = this.browser.cookieOf(request);
    if (cookie === undefined) return undefined;
    const session = await this.setup.sessions.enter(cookie).catch((error: unknown) => {
      if (statusOf(error) !== 410) throw error;
    });
    if (!session) {
      await this.limits.countStranger(request);
      return undefined;
    }
    if (session.locale) this.languages.set(request, session.locale);
    await this.limits.countSession(session.linkId);
    return session;
  }

  requireOwnOrigin(request: FastifyRequest): void {
    if (this.browser.isForeign(request)) throw new DomainError(PageErrors.CSRF);
  }

  redirect(reply: FastifyReply, path: string): FastifyReply {
    return reply
      .code(303)
      .header('cache-control', 'no-store')
      .header('location', this.basePath + path)
      .send();
  }
}

/**
 * A visit of a page that a link offers only if it allows that.
 * @throws DomainError `not_found`
 */
export function allowed<V extends Visit>(visit: V, action: SetupAction): V {
  if (visit.frame.session.allow.includes(action)) return visit;
  throw new DomainError(KitErrors.NOT_FOUND);
}

/** The HTTP status of what an operation threw; undefined for what is no error of the domain. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof DomainError ? error.httpStatus : undefined;
}
