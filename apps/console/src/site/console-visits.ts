import { KeyRing } from '@gatehouse/crypto';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { PageVisits } from '@gatehouse/pages';
import { Inject, Injectable } from '@nestjs/common';
import { ConsoleConfig } from '../config.js';
import { ConsoleErrors } from '../errors.js';
import { type Session } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { siteTexts } from '../texts/site.texts.js';

export const CONSOLE_PATH = '/console';
/** In a minute. The palette sends one for each pause in typing, and several tabs may update themselves. */
const SESSION_REQUESTS_MAX = 600;

/** A session, as pages know them: its cookie stands for the secret of an address. */
type VisitedSession = Session & { readonly secretSha256: Buffer };

/** The sessions of console pages. */
@Injectable()
export class ConsoleVisits extends PageVisits<VisitedSession, undefined> {
  constructor(
    { publicUrl, theme, encryptionKeys }: ConsoleConfig,
    sessions: SessionsService,
    addresses: ClientAddresses,
    @Inject(EXCHANGE) { counters }: Exchange,
  ) {
    super({
      cookieName: 'gatehouse_console',
      path: CONSOLE_PATH,
      publicUrl,
      theme,
      hasScripts: true,
      find: async (cookie) => {
        const session = await sessions.find(cookie);
        return session && { ...session, secretSha256: session.cookieSha256 };
      },
      idOf: ({ sessionId }) => sessionId,
      languageOf: () => null,
      wayBackOf: (_session, language) => ({ path: '/', text: siteTexts(language).backToOverview }),
      callOf: () => undefined,
      gone: ConsoleErrors.SIGNED_OUT,
      foreign: ConsoleErrors.FORM_REFUSED,
      counters,
      addresses,
      sessionRequestsMax: SESSION_REQUESTS_MAX,
      prefix: 'console:',
      key: KeyRing.fromTexts(encryptionKeys).forPurpose('console-clients').current.key,
    });
  }
}
