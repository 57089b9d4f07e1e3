/**
 * Sessions of people. A person who signs in at the identity provider gets an issued key with the control
 * scopes of their role, so that the services decide what they may do, and their audit logs name them. Who
 * signs in with a key acts with that key.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createGatehouse, type Gatehouse, GatehouseError } from '@gatehouse/client';
import { KeyRing, openText, seal, sha256 } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PageCookie } from '@gatehouse/pages';
import {
  type ControlScope,
  CONTROL_SCOPES,
  isControlScope,
  type VerificationErrorCode,
} from '@gatehouse/schemas';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { ConsoleConfig } from '../config.js';
import { ConsoleErrors } from '../errors.js';
import { roleOf, roleOfScopes, scopesOf } from '../roles.js';
import { type Session } from './session.js';
import { SessionsRepository } from './sessions.repository.js';

/** The key of a session works a little longer than the session. */
const KEY_MARGIN_SECONDS = 60;
const KEY_CHARACTERS_MAX = 4_096;
/** The key service does not know static keys. */
const UNKNOWN_KEY: ReadonlySet<VerificationErrorCode | undefined> = new Set([
  'VERIFICATION_ERROR_INVALID_FORMAT',
  'VERIFICATION_ERROR_NOT_FOUND',
]);

/** A person, as the identity provider knows them. */
export interface Person {
  /** The e-mail address, or the subject. */
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly idToken: string;
}

export interface Opened {
  readonly cookie: string;
  readonly expireTime: Date;
}

interface KeyHolder {
  readonly name: string;
  readonly scopes: readonly ControlScope[];
}

const STATIC_KEY: KeyHolder = { name: 'Administrator', scopes: CONTROL_SCOPES };

type Access = Pick<Session, 'name' | 'role' | 'scopes' | 'keyId'> & {
  key: string;
  idToken: string | null;
};

@Injectable()
export class SessionsService {
  private readonly ring: KeyRing;

  constructor(
    private readonly config: ConsoleConfig,
    private readonly sessions: SessionsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.ring = KeyRing.fromTexts(config.encryptionKeys);
  }

  /** @throws DomainError KEY_REFUSED for a key that no service accepts, or that is not valid now */
  async openWithKey(text: string): Promise<Opened> {
    const key = text.trim();
    if (key === '' || key.length > KEY_CHARACTERS_MAX || !/^[\x21-\x7e]+$/.test(key)) {
      throw new DomainError(ConsoleErrors.KEY_REFUSED);
    }
    const { name, scopes } = await this.accessOf(key);
    const role = roleOfScopes(scopes);
    return this.open({ name, role, scopes, keyId: null, key, idToken: null });
  }

  /** @throws DomainError NO_ROLE if none of the person's groups has a role */
  async openForPerson({ id, name, groups, idToken }: Person): Promise<Opened> {
    const role = roleOf(groups, this.config.provider.roles);
    if (role === undefined) throw new DomainError(ConsoleErrors.NO_ROLE);
    const scopes = scopesOf(role);
    const { issued_api_key: issued, secret } = await this.own().keys.issue({
      name: `Console: ${name}`,
      actor_id: id,
      scopes: [...scopes],
      ttl: `${this.config.sessionTtlSeconds + KEY_MARGIN_SECONDS}s`,
      tags: ['console'],
    });
    return this.open({ name, role, scopes, keyId: issued.key_id, key: secret, idToken });
  }

  /** The session of a cookie, if it is open. */
  find(cookie: string): Promise<Session | undefined> {
    return this.sessions.find(sha256(cookie), this.config.idleSeconds);
  }

  list(): Promise<Session[]> {
    return this.sessions.list(this.config.idleSeconds);
  }

  /** The API of the services, with the rights of the person. */
  gatehouseOf(session: Session): Gatehouse {
    return this.client(this.keyOf(session));
  }

  /**
   * Ends the session if no service accepts its key any more.
   *
   * @returns the scopes that the key has now
   * @throws DomainError ACCESS_LOST
   */
  async requireAccess(session: Session): Promise<readonly string[]> {
    try {
      return (await this.accessOf(this.keyOf(session))).scopes;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.end(session.sessionId);
      throw new DomainError(ConsoleErrors.ACCESS_LOST, { cause: error });
    }
  }

  /** What identifies the session to the identity provider. */
  idTokenOf(session: Session): string | undefined {
    if (session.idToken === null) return undefined;
    return this.opened(session.idToken, placeOf(session, 'id_token'));
  }

  /**
   * Whether a form that can be sent only once is sent for the first time.
   *
   * @throws DomainError FORM_REFUSED for a form without a nonce
   */
  takeForm({ sessionId }: Session, nonce: string): Promise<boolean> {
    if (!isUuid(nonce)) throw new DomainError(ConsoleErrors.FORM_REFUSED);
    return this.sessions.takeForm(sessionId, nonce);
  }

  /** Ends a session. The key that was issued for it is revoked. */
  async end(sessionId: string): Promise<void> {
    const session = await this.sessions.delete(sessionId);
    if (session) await this.revokeKey(session);
  }

  /** Deletes sessions that are over. @returns how many */
  async deleteEnded(): Promise<number> {
    const ended = await this.sessions.deleteEnded(this.config.idleSeconds);
    for (const session of ended) await this.revokeKey(session);
    return ended.length;
  }

  private async open({ key, idToken, ...access }: Access): Promise<Opened> {
    const sessionId = randomUUID();
    const cookie = PageCookie.newValue();
    const expireTime = new Date(Date.now() + this.config.sessionTtlSeconds * 1_000);
    await this.sessions.insert({
      ...access,
      sessionId,
      cookieSha256: sha256(cookie),
      csrfKey: randomBytes(32),
      credential: seal(this.ring, key, placeOf({ sessionId }, 'credential')),
      idToken: idToken && seal(this.ring, idToken, placeOf({ sessionId }, 'id_token')),
      expireTime,
    });
    return { cookie, expireTime };
  }

  private keyOf(session: Session): string {
    return this.opened(session.credential, placeOf(session, 'credential'));
  }

  /** @throws DomainError SIGNED_OUT if the key that sealed it is no longer in CONSOLE_ENCRYPTION_KEYS */
  private opened(sealed: string, place: string): string {
    try {
      return openText(this.ring, sealed, place);
    } catch (cause) {
      throw new DomainError(ConsoleErrors.SIGNED_OUT, { cause });
    }
  }

  /** @throws DomainError KEY_REFUSED for a key that no service accepts, or that is not valid now */
  private async accessOf(key: string): Promise<KeyHolder> {
    const services = await servicesOf(this.client(key));
    if (services.length === 0) throw new DomainError(ConsoleErrors.KEY_REFUSED);
    const { name, scopes } = await this.holderOf(key);
    return {
      name,
      scopes: scopes.filter((scope) => services.some((prefix) => scope.startsWith(prefix))),
    };
  }

  /**
   * The actor and scopes of an issued key. A static one may do everything.
   *
   * @throws DomainError KEY_REFUSED for an issued key that is not valid, such as one that is over its limits
   */
  private async holderOf(key: string): Promise<KeyHolder> {
    if (key === this.config.adminKey) return STATIC_KEY;
    const verifier = this.client(this.config.adminKey || key);
    const verified = await verifier.keys.verify({ credential: key, peek: true });
    if (verified.is_valid) {
      return { name: verified.actor_id, scopes: verified.scopes.filter(isControlScope) };
    }
    if (UNKNOWN_KEY.has(verified.error_code)) return STATIC_KEY;
    throw new DomainError(ConsoleErrors.KEY_REFUSED);
  }

  /** A key that could not be revoked expires by itself; its secret is gone with the session. */
  private async revokeKey({ keyId, sessionId }: Session): Promise<void> {
    if (keyId === null) return;
    try {
      await this.own().keys.revoke({ key_id: keyId, reason: 'REVOCATION_REASON_SUPERSEDED' });
    } catch (err) {
      this.logger.warn({ err, sessionId, keyId }, 'the key of a session was not revoked');
    }
  }

  private own(): Gatehouse {
    return this.client(this.config.adminKey);
  }

  private client(key: string): Gatehouse {
    return createGatehouse({ url: this.config.gatehouseUrl, key });
  }
}

/** Binds a sealed text to its session and column. */
function placeOf({ sessionId }: Pick<Session, 'sessionId'>, column: string): string {
  return `console.sessions:${sessionId}:${column}`;
}

/** The prefixes of the control scopes of the services that accept the key. */
async function servicesOf(gatehouse: Gatehouse): Promise<string[]> {
  const opened = await Promise.all([
    isOpen(gatehouse.keys.list({ page_size: 1 })),
    isOpen(gatehouse.directories.list({ pageLimit: 1, secrets: false })),
    isOpen(gatehouse.schemas.list({ page_size: 1 })),
  ]);
  return ['keys:', 'dsync:', 'forms:'].filter((_, index) => opened[index]);
}

/** Whether a service accepts the key. @throws GatehouseError if that cannot be said */
async function isOpen(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof GatehouseError && (error.status === 401 || error.status === 403)) {
      return false;
    }
    throw error;
  }
}
