import { type KeyRing } from '@gatehouse/crypto';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { PageVisits } from '@gatehouse/pages';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type CallContext, callContextOf } from '../api/call-context.js';
import { KeyServiceConfig } from '../config.js';
import { KeyErrors } from '../errors.js';
import { HMAC_RING } from '../key-rings.js';
import { type PortalSession } from '../store/portal/portal-session.js';
import { KEYS_PATH } from './portal-frame.js';
import { PORTAL_PATH, PortalSessionsService } from './portal-sessions.service.js';
import { portalTexts } from './texts/texts.js';

/** The sessions of portal pages. */
@Injectable()
export class PortalVisits extends PageVisits<PortalSession, CallContext> {
  constructor(
    { externalUrl, theme }: KeyServiceConfig,
    sessions: PortalSessionsService,
    private readonly addresses: ClientAddresses,
    @Inject(HMAC_RING) ring: KeyRing,
    @Inject(EXCHANGE) { counters }: Exchange,
  ) {
    super({
      cookieName: 'gatehouse_portal',
      path: PORTAL_PATH,
      publicUrl: externalUrl,
      theme,
      find: (cookie) => sessions.enter(cookie),
      idOf: ({ sessionId }) => sessionId,
      languageOf: ({ language }) => language,
      wayBackOf: (_session, language) => ({ path: KEYS_PATH, text: portalTexts(language).back }),
      callOf: (request, session) => this.callOf(request, session),
      gone: KeyErrors.PORTAL_SESSION_GONE,
      foreign: KeyErrors.PORTAL_FORM_REFUSED,
      counters,
      addresses,
      prefix: 'keys:portal:',
      key: ring.forPurpose('portal-clients').current.key,
    });
  }

  callOf(request: FastifyRequest, { sessionId }: PortalSession): CallContext {
    return callContextOf(this.addresses, request, `portal:${sessionId}`);
  }
}
