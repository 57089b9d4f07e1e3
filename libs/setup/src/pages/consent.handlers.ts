/**
 * The consent of an administrator to reading a workspace directory: to the provider, back from it, and what
 * is read then. The provider sends the browser back to the callback of all consents, which is not below
 * `/setup`; its cookie has the path `/`.
 */
import { type AuthorizationAnswer } from '@gatehouse/directory-sync';
import { type SetupSession } from '../links/setup-sessions.js';
import { seeOther } from '@gatehouse/pages';
import { DomainError } from '@gatehouse/kit/errors';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SETUP, SETUP_CONFIG, type Setup, type SetupConfig } from '../setup.tokens.js';
import { REFRESH_SECONDS } from './check.page.js';
import { consentStep } from './consent.part.js';
import { isRead, readingPage } from './reading.page.js';
import { ConsentErrors, setupErrors } from './setup-errors.js';
import { CHECK_PATH, PROVIDER_PATH, type SessionFrame } from './setup-frame.js';
import { SetupVisits, statusOf, type Visit } from './setup-visit.js';

/** As long as an administrator may take for a consent. */
const RECENT_MS = 600_000;
/** The address of these answers contains the code. */
const SECRET_ADDRESS = { 'referrer-policy': 'no-referrer' };

@Injectable()
export class ConsentHandlers {
  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly visits: SetupVisits,
    @Inject(SETUP_CONFIG) private readonly config: SetupConfig,
    private readonly errors: ErrorFilter,
  ) {}

  /** Whether what a provider answered belongs to a setup link. */
  isOfSetup(answer: AuthorizationAnswer): boolean {
    return this.setup.consents.isOfSetup(answer);
  }

  /** Where the form of a step leads, which browsers must allow; null within our own pages. */
  addressOf(frame: SessionFrame, path: string): string | null {
    const { workspace } = frame.session;
    if (!workspace || path !== consentStep(frame)) return null;
    const { googleAuthUrl, entraLoginUrl } = this.config.workspace;
    return workspace.provider === 'google' ? googleAuthUrl : entraLoginUrl;
  }

  async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { cookie } = await this.visits.enterForm(request);
    const { authorizationUrl } = await this.setup.consents.begin(cookie);
    return seeOther(reply, authorizationUrl);
  }

  /** Where the address bar leads after a form that was refused. */
  async leave(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { frame } = await this.visits.enter(request);
    return this.visits.redirect(
      reply,
      frame.session.workspace ? consentStep(frame) : PROVIDER_PATH,
    );
  }

  /** The answer of a provider to a consent of a setup link. Errors are pages, too. */
  async finish(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: AuthorizationAnswer,
  ): Promise<void> {
    try {
      await this.end(request, reply, answer);
    } catch (error) {
      this.errors.send(error, request, reply, setupErrors(this.visits, SECRET_ADDRESS));
    }
  }

  async showReading(
    { cookie, frame }: Visit,
    refresh: string | undefined,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const reading = await this.setup.consents.reading(cookie);
    const refreshes = refresh !== 'off' && !isRead(reading);
    if (refreshes) void reply.header('refresh', String(REFRESH_SECONDS));
    const page = readingPage(frame, reading, { refreshes });
    return this.visits.send(reply, page);
  }

  private async end(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: AuthorizationAnswer,
  ): Promise<void> {
    const { cookie, frame, call } = await this.visits.enter(request).catch(asOfOthers);
    // The session may end while the provider is asked.
    const { consents } = this.setup;
    const { outcome } = await consents.finish(cookie, answer, call).catch(asOfOthers);
    if (outcome === 'foreign') throw new DomainError(ConsentErrors.CONSENT_OF_OTHERS);
    void reply.headers(SECRET_ADDRESS);
    const isDone = outcome === 'stored' || (outcome === 'expired' && isRecent(frame.session));
    this.visits.redirect(reply, isDone ? CHECK_PATH : `${consentStep(frame)}?problem=${outcome}`);
  }
}

/** Without a session, the answer is of another browser, or of a session that has ended. */
function asOfOthers(error: unknown): never {
  throw statusOf(error) === 410 ? new DomainError(ConsentErrors.CONSENT_OF_OTHERS) : error;
}

/** A consent has just been stored: this is the same answer again, or one that was begun before it. */
function isRecent({ workspace }: SetupSession): boolean {
  const consentedAt = workspace?.consentedAt?.getTime() ?? 0;
  return Date.now() - consentedAt < RECENT_MS;
}
