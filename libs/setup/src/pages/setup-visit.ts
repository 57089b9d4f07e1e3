import { SETUP_PATH } from '../links/setup-links.js';
import { type SetupAction } from '../links/setup.types.js';
import { type SetupSession } from '../links/setup-sessions.js';
import { type Visit as PageVisit, PageVisits, type SiteFrame } from '@gatehouse/pages';
import { type CallContext, ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, errorCodes, KitErrors } from '@gatehouse/kit/errors';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { KeyRing } from '@gatehouse/crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SETUP, SETUP_CONFIG, type Setup, type SetupConfig } from '../setup.tokens.js';
import { CHECK_PATH, DONE_PATH, hasStep, PROVIDER_PATH } from './setup-frame.js';
import { setupTexts } from './texts/texts.js';

const PageErrors = errorCodes({
  GONE: { kind: 'gone', message: 'The setup link or session does not work any more.' },
  CSRF: { kind: 'permission_denied', message: 'The submission came from another site.' },
});

export type Visit = PageVisit<SetupSession, CallContext>;

/** The sessions of setup pages. */
@Injectable()
export class SetupVisits extends PageVisits<SetupSession, CallContext> {
  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly addresses: ClientAddresses,
    @Inject(SETUP_CONFIG) { externalUrl, encryptionKeys, theme }: SetupConfig,
    @Inject(EXCHANGE) { counters }: Exchange,
  ) {
    super({
      cookieName: 'gatehouse_setup',
      path: SETUP_PATH,
      publicUrl: externalUrl,
      theme,
      find: (cookie) =>
        setup.sessions.enter(cookie).catch((error: unknown) => {
          if (statusOf(error) !== 410) throw error;
          return undefined;
        }),
      idOf: ({ linkId }) => linkId,
      languageOf: ({ locale }) => locale,
      wayBackOf: ({ step }, language) => ({
        path: step ?? PROVIDER_PATH,
        text: setupTexts(language).toSetup,
      }),
      callOf: (request) => this.callOf(request),
      gone: PageErrors.GONE,
      foreign: PageErrors.CSRF,
      counters,
      addresses,
      prefix: 'dsync:setup:',
      key: KeyRing.fromTexts(encryptionKeys).forPurpose('setup-clients').current.key,
    });
  }

  /** Also keeps the step that is shown, to which the link leads back. */
  override async enter(request: FastifyRequest): Promise<Visit> {
    const visit = await super.enter(request);
    const path = new URL(request.url, 'http://x').pathname.slice(SETUP_PATH.length);
    const isShown = request.method === 'GET' && hasStep(visit.frame, path);
    if (isShown && path !== visit.session.step) {
      await this.setup.sessions.keepStep(visit.cookie, path);
    }
    return visit;
  }

  /** Leads to the step that the browser saw last. */
  resume(reply: FastifyReply, session: SetupSession, frame: SiteFrame): FastifyReply {
    const { step } = session;
    const isKnown = step !== null && hasStep({ ...frame, session, csrfToken: '' }, step);
    return this.redirect(reply, isKnown ? step : PROVIDER_PATH);
  }

  /** Ends the setup, or leads to the check if no request was accepted yet. */
  async finish(reply: FastifyReply, { cookie, call }: Visit): Promise<FastifyReply> {
    try {
      await this.setup.sessions.complete(cookie, call);
      return this.redirect(reply, DONE_PATH);
    } catch (error) {
      if (statusOf(error) === 409) return this.redirect(reply, CHECK_PATH);
      throw error;
    }
  }

  callOf(request: FastifyRequest): CallContext {
    return this.addresses.callContext(request, 'setup-link');
  }
}

/**
 * A visit of a page that a link offers only if it allows that.
 * @throws DomainError `not_found`
 */
export function allowed<V extends Visit>(visit: V, action: SetupAction): V {
  if (visit.session.allow.includes(action)) return visit;
  throw new DomainError(KitErrors.NOT_FOUND);
}

/** The HTTP status of what an operation threw; undefined for what is no error of the domain. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof DomainError ? error.httpStatus : undefined;
}
