/** The session of a request for a page, and whether a submission comes from one of its pages. */
import {
  BrowserSession,
  csrfToken,
  type Language,
  PageLimits,
  pickLanguage,
  PublicAddress,
  type Theme,
} from '@gatehouse/pages';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { type RedisClient } from '@gatehouse/kit/redis';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { REDIS } from '@gatehouse/nest-kit/redis';
import { type KeyRing } from '@gatehouse/crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { KeyErrors } from '../errors.js';
import { HMAC_RING } from '../key-rings.js';
import { type CallContext, callContextOf } from '../api/call-context.js';
import { type PortalFrame, type SessionFrame } from './portal-frame.js';
import { type PortalSession } from '../store/portal/portal-session.js';
import { PORTAL_PATH, PortalSessionsService } from './portal-sessions.service.js';

export interface Visit {
  session: PortalSession;
  frame: SessionFrame;
  call: CallContext;
}

@Injectable()
export class PortalVisits {
  readonly theme: Theme;
  readonly browser: BrowserSession;
  readonly basePath: string;
  readonly limits: PageLimits;
  /** Of requests whose session has one. */
  private readonly languages = new WeakMap<FastifyRequest, Language>();

  constructor(
    config: KeyServiceConfig,
    private readonly sessions: PortalSessionsService,
    private readonly addresses: ClientAddresses,
    @Inject(HMAC_RING) ring: KeyRing,
    @Inject(REDIS) redis: RedisClient,
    @Inject(LOGGER) logger: Logger,
  ) {
    const address = new PublicAddress({ publicUrl: config.externalUrl, allowedReturnUrls: [] });
    this.basePath = address.basePath + PORTAL_PATH;
    this.browser = new BrowserSession('gatehouse_portal', address);
    const prefix = `${config.redis.namespace}keys:portal:`;
    const { key } = ring.forPurpose('portal-clients').current;
    this.limits = new PageLimits({ redis, logger, addresses, prefix, key });
    this.theme = config.theme;
  }

  frameOf(request: FastifyRequest, { language }: Pick<PortalSession, 'language'>): PortalFrame {
    return {
      language: language ?? pickLanguage(request.headers['accept-language']),
      basePath: this.basePath,
      theme: this.theme,
    };
  }

  /** The language of error pages; undefined for that of the browser. */
  languageOf(request: FastifyRequest | undefined): Language | undefined {
    return request && this.languages.get(request);
  }

  callOf(request: FastifyRequest, { sessionId }: PortalSession): CallContext {
    return callContextOf(this.addresses, request, `portal:${sessionId}`);
  }

  /** The session of this browser, if it has one that is open. */
  async sessionOf(request: FastifyRequest): Promise<PortalSession | undefined> {
    const cookie = this.browser.cookieOf(request);
    if (cookie === undefined) return undefined;
    const session = await this.sessions.enter(cookie);
    if (session?.language) this.languages.set(request, session.language);
    if (session) await this.limits.countSession(session.sessionId);
    else await this.limits.countStranger(request);
    return session;
  }

  /** @throws DomainError `gone` without a session that is open */
  async enter(request: FastifyRequest): Promise<Visit> {
    const session = await this.sessionOf(request);
    const cookie = this.browser.cookieOf(request);
    if (!session || cookie === undefined) throw new DomainError(KeyErrors.PORTAL_SESSION_GONE);
    const token = csrfToken(session.csrfKey, cookie);
    const frame = { ...this.frameOf(request, session), session, csrfToken: token };
    return { session, frame, call: this.callOf(request, session) };
  }

  /** As `enter`, for a submission. @throws DomainError `permission_denied` unless it is from our page */
  async enterForm(request: FastifyRequest): Promise<Visit & { form: URLSearchParams }> {
    this.requireOwnOrigin(request);
    const visit = await this.enter(request);
    const form = this.browser.formOf(request, visit.session.csrfKey);
    if (!form) throw new DomainError(KeyErrors.PORTAL_FORM_REFUSED);
    return { ...visit, form };
  }

  requireOwnOrigin(request: FastifyRequest): void {
    if (this.browser.isForeign(request)) throw new DomainError(KeyErrors.PORTAL_FORM_REFUSED);
  }
}
