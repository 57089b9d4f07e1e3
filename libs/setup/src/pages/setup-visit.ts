import { SETUP_PATH } from '../links/setup-links.js';
import { type SetupAction } from '../links/setup.types.js';
import { type SetupSession } from '../links/setup-sessions.js';
import { type Visit as PageVisit, PageVisits } from '@gatehouse/pages';
import { type CallContext, ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, errorCodes, KitErrors } from '@gatehouse/kit/errors';
import { type RedisClient } from '@gatehouse/kit/redis';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { REDIS } from '@gatehouse/nest-kit/redis';
import { KeyRing } from '@gatehouse/crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { SETUP, SETUP_CONFIG, type Setup, type SetupConfig } from '../setup.tokens.js';

const PageErrors = errorCodes({
  GONE: { kind: 'gone', message: 'The setup link or session does not work any more.' },
  CSRF: { kind: 'permission_denied', message: 'The submission came from another site.' },
});

export type Visit = PageVisit<SetupSession, CallContext>;

/** The sessions of setup pages. */
@Injectable()
export class SetupVisits extends PageVisits<SetupSession, CallContext> {
  constructor(
    @Inject(SETUP) setup: Setup,
    private readonly addresses: ClientAddresses,
    @Inject(SETUP_CONFIG) { externalUrl, encryptionKeys, redis, theme }: SetupConfig,
    @Inject(REDIS) connection: RedisClient,
    @Inject(LOGGER) logger: Logger,
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
      callOf: (request) => this.callOf(request),
      gone: PageErrors.GONE,
      foreign: PageErrors.CSRF,
      redis: connection,
      logger,
      addresses,
      prefix: `${redis.namespace}dsync:setup:`,
      key: KeyRing.fromTexts(encryptionKeys).forPurpose('setup-clients').current.key,
    });
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
