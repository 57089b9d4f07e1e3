/**
 * Decides who may call an admin surface: callers with a static key from the settings, callers with a
 * live issued key that has the right scope, and, if no static keys are set, callers that the mode
 * accepts.
 */
import { hash } from 'node:crypto';
import { type ControlScope, coversScope } from '@gatehouse/schemas';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { DomainError, type DomainErrorOptions, type ErrorCode } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { isLocal, type LocalRequest } from './local-request.js';

/**
 * `bearer` is RFC 6750; `api-key` is `Authorization: Api-Key <key>`; `basic` is RFC 7617, for browsers,
 * with the key as the password of any user.
 */
export type AdminScheme = 'basic' | 'bearer' | 'api-key';

export interface AdminOptions {
  staticKeys: readonly string[];
  /** Keys of programs of Gatehouse. Unlike static keys, they leave the mode as it is. */
  programKeys?: readonly string[];
  /**
   * The callers that are accepted without a credential. `protected`: loopback clients that used no proxy; `none`:
   * all clients, for an authenticating proxy in front; `closed`: no clients.
   */
  mode: 'protected' | 'none' | 'closed';
  schemes: readonly AdminScheme[];
  /** An issued key needs this scope. */
  scope: ControlScope;
}

export interface AdminCaller {
  kind: 'static-key' | 'issued-key' | 'loopback' | 'open';
  /** Identifies the caller in audit records; never the credential. */
  id: string;
  /** The actor of an issued key; '' without one. */
  actorId?: string;
  /** The control scopes of an issued key; the other kinds may do everything. */
  scopes?: readonly string[];
}

/** Whether an administrator may do what needs this scope. */
export function mayUse({ scopes }: AdminCaller, scope: ControlScope): boolean {
  return scopes === undefined || coversScope(scopes, scope);
}

/** @throws DomainError `permission_denied` that names the scope */
export function requireScope(caller: AdminCaller, scope: ControlScope): void {
  if (mayUse(caller, scope)) return;
  const message = `The credential lacks the scope ${scope}.`;
  throw new AdminDeniedError(KitErrors.INSUFFICIENT_SCOPE, caller, { message });
}

/** An issued key that is an administrator, with its control scopes. */
export interface CredentialHolder {
  keyId: string;
  actorId: string;
  scopes: readonly string[];
}

/** Finds the administrator to whom an issued key belongs; null if there is no such administrator. */
export interface CredentialVerifier {
  verify(credential: string, request: FastifyRequest): Promise<CredentialHolder | null>;
}

export const ADMIN_OPTIONS = Symbol('ADMIN_OPTIONS');
export const CREDENTIAL_VERIFIER = Symbol('CREDENTIAL_VERIFIER');

const ADMIN_HEADER_MISSING =
  'The admin credential is missing; Authorization is for that of the client.';

const CREDENTIAL = /^(basic|bearer|api-key) +([\x21-\x7e]{1,8192})$/i;
/** The WWW-Authenticate challenge of each scheme; a refusal sends the first that the surface accepts. */
const CHALLENGES: readonly (readonly [AdminScheme, string])[] = [
  ['basic', 'Basic realm="Gatehouse", charset="UTF-8"'],
  ['bearer', 'Bearer'],
  ['api-key', 'Api-Key'],
];
const BARE_CREDENTIAL = /^[\x21-\x7e]{1,8192}$/;

export interface AuthorizeOptions {
  /** An issued key needs this scope instead of the scope of the surface. */
  scope?: ControlScope;
  /** Reads `X-Admin-Authorization` only, because `Authorization` has the client's own credential. */
  adminHeaderOnly?: boolean;
}

/**
 * An authenticated administrator lacks the permission for this call. The denial is audited wherever it
 * is thrown.
 */
export class AdminDeniedError extends DomainError {
  constructor(
    definition: ErrorCode,
    /** Null if the caller is not an administrator. */
    readonly caller: AdminCaller | null,
    options?: DomainErrorOptions,
  ) {
    super(definition, options);
  }
}

@Injectable()
export class AdminAuth {
  private readonly digests: readonly { id: string; digest: string }[];

  constructor(
    @Inject(ADMIN_OPTIONS) private readonly options: AdminOptions,
    @Optional() @Inject(CREDENTIAL_VERIFIER) private readonly verifier?: CredentialVerifier,
  ) {
    this.digests = [...options.staticKeys, ...(options.programKeys ?? [])].map((key) => {
      const digest = sha256(key);
      return { id: `admin-key:${digest.slice(0, 8)}`, digest };
    });
  }

  /** The administrator, if no other service has to be asked; undefined otherwise. */
  authorizeAtOnce(request: LocalRequest): AdminCaller | undefined {
    return this.callerOf(request, this.credentialOf(request, false));
  }

  /**
   * @throws DomainError `unauthenticated` for a missing or unknown credential,
   *   `permission_denied` if the credential lacks the scope or protected mode refuses it
   */
  authorize(
    request: FastifyRequest,
    options: AuthorizeOptions = {},
  ): AdminCaller | Promise<AdminCaller> {
    const credential = this.credentialOf(request, options.adminHeaderOnly ?? false);
    const caller = this.callerOf(request, credential);
    if (caller !== undefined) return caller;
    if (credential !== undefined) {
      return this.issuedCaller(credential, request, options);
    }
    if (this.options.staticKeys.length === 0 && this.options.mode === 'protected') {
      throw new DomainError(KitErrors.PROTECTED_MODE);
    }
    throw this.unauthenticated(faultOf(request, options), options);
  }

  private callerOf(request: LocalRequest, credential: string | undefined): AdminCaller | undefined {
    const caller = credential ? this.staticCaller(credential) : undefined;
    if (caller || this.options.staticKeys.length > 0) return caller;
    if (this.options.mode === 'none') return { kind: 'open', id: 'open' };
    if (this.options.mode === 'protected' && isLocal(request)) {
      return { kind: 'loopback', id: 'loopback' };
    }
    return undefined;
  }

  private credentialOf(request: LocalRequest, adminHeaderOnly: boolean): string | undefined {
    const own = request.headers['x-admin-authorization'];
    // Its name says what it is, and OpenAPI cannot add a scheme to it.
    if (typeof own === 'string' && BARE_CREDENTIAL.test(own)) return own;
    const header =
      typeof own === 'string' ? own : adminHeaderOnly ? '' : request.headers.authorization;
    const match = CREDENTIAL.exec(header ?? '');
    if (!match) return undefined;
    const scheme = (match[1] as string).toLowerCase() as AdminScheme;
    if (!this.options.schemes.includes(scheme)) return undefined;
    return scheme === 'basic' ? passwordOf(match[2] as string) : match[2];
  }

  /** Compares with all keys, so that the time does not depend on which one matches. */
  private staticCaller(credential: string): AdminCaller | undefined {
    const presented = sha256(credential);
    let found: AdminCaller | undefined;
    for (const { id, digest } of this.digests) {
      if (isEqual(presented, digest)) found = { kind: 'static-key', id };
    }
    return found;
  }

  private async issuedCaller(
    credential: string,
    request: FastifyRequest,
    options: AuthorizeOptions,
  ): Promise<AdminCaller> {
    const holder = await this.verifier?.verify(credential, request);
    if (!holder) {
      throw this.unauthenticated('The key is unknown here, or no longer valid.', options);
    }
    const { keyId: id, actorId, scopes } = holder;
    const caller: AdminCaller = { kind: 'issued-key', id, actorId, scopes };
    requireScope(caller, options.scope ?? this.options.scope);
    return caller;
  }

  private unauthenticated(
    fault: string,
    { adminHeaderOnly, scope }: AuthorizeOptions,
  ): DomainError {
    const [, challenge = ''] =
      CHALLENGES.find(([scheme]) => this.options.schemes.includes(scheme)) ?? [];
    const header = adminHeaderOnly ? 'X-Admin-Authorization' : 'Authorization';
    return new DomainError(KitErrors.UNAUTHENTICATED, {
      message:
        `${fault} Send "${header}: Bearer <key>" with one of ADMIN_API_KEYS, or with a live key of ` +
        `the key service that has the scope ${scope ?? this.options.scope}.`,
      headers: { 'WWW-Authenticate': challenge },
    });
  }
}

/** Why a request has no credential that can be read. */
function faultOf({ headers }: LocalRequest, { adminHeaderOnly }: AuthorizeOptions): string {
  if (headers['x-admin-authorization'] !== undefined) {
    return 'X-Admin-Authorization has another scheme.';
  }
  if (adminHeaderOnly) return ADMIN_HEADER_MISSING;
  if (headers.authorization !== undefined) return 'Authorization has another scheme, or none.';
  if (headers['x-api-key'] !== undefined) return 'X-API-Key is not read here.';
  return 'The admin credential is missing.';
}

/** The password of Basic credentials; undefined if it is not one that a key can be. */
function passwordOf(credentials: string): string | undefined {
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  const password = text.slice(colon + 1);
  return colon !== -1 && BARE_CREDENTIAL.test(password) ? password : undefined;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Compares two digests of equal length in constant time. It compares strings, because allocating a
 * buffer for each request costs more than the rest of the check.
 */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
