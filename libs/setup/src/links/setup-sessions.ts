/**
 * The session that a setup link becomes. The link opens for the request that sends its secret; as soon as
 * the cookie of that answer has come back, it is the only credential. Each operation reads the state of the
 * link from the database, so a revocation ends a session on all replicas at once.
 */
import { randomToken, sha256 } from '@gatehouse/crypto';
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { InputReader } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type ProviderName } from '@gatehouse/workspace-providers';
import {
  type Directory,
  insertNotice,
  type DirectoryRepository,
  type DirectorySecrets,
  type DirectoryType,
  scimPath,
  type RequestLogRepository,
  type ScimTokenRepository,
  SyncErrors,
} from '@gatehouse/directory-sync/parts';
import { type SetupProof, setupProof } from './setup-proof.js';
import { newSetupToken } from './setup-token.js';
import { CONNECTED_BATCH, type SetupRepository } from './setup.repository.js';
import {
  SETUP_PROVIDERS,
  type SetupAction,
  type SetupLink,
  type SetupLocale,
  type SetupProvider,
} from './setup.types.js';

import { callOf, enterSetup, hashOf, lockSession, sessionGone } from './setup-entry.js';
import { changeSetupMapping, type SetupMapping, setupMapping } from './setup-mapping.js';

export interface SetupSessionsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  setups: SetupRepository;
  requests: RequestLogRepository;
  tokens: ScimTokenRepository;
  secrets: DirectorySecrets;
  externalUrl: string;
}

/** A session that is open, as its pages need it. */
export interface SetupSession {
  linkId: string;
  /** The name that the application gave the directory. */
  directoryName: string;
  /** The SCIM address. */
  endpoint: string;
  allow: readonly SetupAction[];
  /** Roles that the pages offer for groups. */
  roles: readonly string[];
  locale: SetupLocale | null;
  provider: SetupProvider | null;
  /** The path of the page that was shown last. */
  step: string | null;
  returnUrl: string | null;
  expiresAt: Date;
  /** Signs the tokens of its forms. */
  csrfKey: Buffer;
  /** The hash of the secret of its link. */
  secretSha256: Buffer;
  hasToken: boolean;
  isConnected: boolean;
  /** The workspace to which an administrator consents; null for other directories. */
  workspace: SetupWorkspace | null;
}

/** A link that does not work any more, as its last page needs it. */
export interface EndedSetup {
  directoryName: string;
  provider: SetupProvider | null;
  locale: SetupLocale | null;
  returnUrl: string | null;
  isCompleted: boolean;
}

export interface SetupWorkspace {
  provider: ProviderName;
  /** The domain of the workspace, or the tenant at Entra ID. */
  domain: string | null;
  /** When an administrator last consented in this session. */
  consentedAt: Date | null;
}

/** The type of a directory whose provider was chosen; the others are generic. */
const TYPES: Partial<Record<SetupProvider, DirectoryType>> = {
  okta: 'okta-scim-v2',
  entra: 'azure-scim-v2',
  onelogin: 'onelogin-scim-v2',
  jumpcloud: 'jumpcloud-scim-v2',
};

/** The `setupSessions` operations of the controller object. */
export class SetupSessions {
  constructor(private readonly context: SetupSessionsContext) {}

  /** Whether a link can be opened, without opening it. 410 if it cannot. */
  async peek(
    secret: string,
  ): Promise<{ linkId: string; locale: SetupLocale | null; directoryName: string }> {
    const { setups, directories } = this.context;
    const link = await setups.findOpenable(hashOf(secret));
    const directory = link && (await directories.find(link.directoryId));
    if (!directory) throw linkGone();
    return { linkId: link.id, locale: link.locale, directoryName: directory.name };
  }

  /** The link of a secret, or of the cookie of its session; null for one that is unknown. */
  async ended(secret: string): Promise<EndedSetup | null> {
    const { setups, directories } = this.context;
    const link = await setups.findBySecret(hashOf(secret));
    const directory = link && (await directories.find(link.directoryId));
    if (!directory) return null;
    const { provider, locale, returnUrl, completedAt, revokedAt } = link;
    const isCompleted = completedAt !== null && revokedAt === null;
    return { directoryName: directory.name, provider, locale, returnUrl, isCompleted };
  }

  /** Keeps the path of the page that a session shows. */
  async keepStep(cookie: string, step: string): Promise<null> {
    const { link } = await this.require(cookie);
    await this.context.setups.setStep(link.id, step);
    return null;
  }

  /**
   * Opens a link. For two minutes it can be opened again, until the cookie of an opening has been used: the
   * answer may have been lost. The last opening replaces those before it, so that one cookie works.
   */
  async open(secret: string, call: CallContext): Promise<{ cookie: string; expiresAt: Date }> {
    const cookie = randomToken();
    const { sql, setups, directories } = this.context;
    const known = await setups.findOpenable(hashOf(secret));
    const directory = known && (await directories.find(known.directoryId));
    if (!directory) throw linkGone();
    const opened = await sql.transaction(async (executor) => {
      const link = await setups.lockOpenable(hashOf(secret), executor);
      if (!link) throw linkGone();
      if (link.openedAt) {
        await this.record('reopened', link, call, executor);
      } else {
        await insertNotice(executor, 'directory.setup_opened', directory, { link_id: link.id });
        await this.record('opened', link, call, executor);
      }
      return setups.open(link.id, sha256(cookie), executor);
    });
    return { cookie, expiresAt: opened.sessionExpiresAt as Date };
  }

  /** The session of a cookie. 410 if it does not exist or has ended. */
  async enter(cookie: string): Promise<SetupSession> {
    const { link, directory } = await this.require(cookie);
    return {
      linkId: link.id,
      directoryName: directory.name,
      allow: link.allow,
      roles: link.roles,
      endpoint: this.context.externalUrl + scimPath(directory.id),
      locale: link.locale,
      provider: link.provider,
      step: link.step,
      returnUrl: link.returnUrl,
      expiresAt: link.sessionExpiresAt as Date,
      csrfKey: link.csrfKey,
      secretSha256: link.secretSha256,
      hasToken: link.tokenCreatedAt !== null,
      isConnected: link.connectedAt !== null,
      workspace: workspaceOf(link, directory),
    };
  }

  /**
   * Chooses the provider. A directory that has received no request takes its type; that of a workspace
   * directory is certain, so 403.
   */
  async chooseProvider(cookie: string, name: unknown, call: CallContext): Promise<null> {
    const input = InputReader.of({ provider: name });
    const provider = input.oneOf('provider', SETUP_PROVIDERS);
    if (provider === undefined) input.addViolation('provider', 'is required', undefined);
    input.throwIfInvalid();
    const { link, directory } = await this.require(cookie);
    if (directory.connection) throw new DomainError(SyncErrors.SETUP_NOT_ALLOWED);
    const { sql, setups } = this.context;
    await sql.transaction(async (executor) => {
      const chosen = provider as SetupProvider;
      // The directory first, as in createToken, so that the two never wait for each other.
      await setups.setType(link.directoryId, TYPES[chosen] ?? 'generic-scim-v2', executor);
      await lockSession(setups, link.id, executor);
      await setups.setProvider(link.id, chosen, executor);
      await this.record('provider_chosen', link, call, executor, { provider: chosen });
    });
    return null;
  }

  /**
   * Creates the token of the link, which is shown only here, or replaces it. 403 unless the link allows it,
   * 409 if the directory has as many tokens as allowed, or two of the link are in use.
   */
  async createToken(cookie: string, call: CallContext): Promise<{ token: string }> {
    const { link } = await this.require(cookie, 'token');
    const { sql, directories, setups } = this.context;
    const token = await sql.transaction(async (executor) => {
      const isKnown = await directories.lockForEndpoints(executor, link.directoryId);
      if (!isKnown) throw sessionGone();
      await lockSession(setups, link.id, executor);
      await setups.recordToken(link.id, executor);
      return newSetupToken(link, this.context, callOf(link, call), executor);
    });
    return { token };
  }

  /** The attributes that the administrator may map. 403 unless the link allows it. */
  async mapping(cookie: string): Promise<SetupMapping> {
    const { link, directory } = await this.require(cookie, 'mapping');
    return setupMapping(link, directory.attributeMapping);
  }

  /** Maps attributes, unless paths are refused. 409 if the mapping was changed since `etag`. */
  async changeMapping(
    cookie: string,
    paths: Readonly<Record<string, string>>,
    etag: string,
    call: CallContext,
  ): Promise<{ refused: string[] }> {
    const { link } = await this.require(cookie, 'mapping');
    const { context } = this;
    const sent = Object(paths) as Readonly<Record<string, string>>;
    return changeSetupMapping(link, sent, etag, context, callOf(link, call));
  }

  /** Requests that have arrived since the session was opened. */
  async proof(cookie: string): Promise<SetupProof> {
    const { link, directory } = await this.require(cookie);
    const proof = await setupProof(this.context, link, directory);
    if (proof.isConnected && !link.connectedAt) await this.markConnected(link.id);
    return proof;
  }

  /** Ends the setup and its session. 409 before the provider has sent a request that was accepted. */
  async complete(cookie: string, call: CallContext): Promise<null> {
    const { link, directory } = await this.require(cookie);
    if (!link.connectedAt) throw new DomainError(SyncErrors.SETUP_NOT_CONNECTED);
    await this.context.sql.transaction(async (executor) => {
      await lockSession(this.context.setups, link.id, executor);
      await this.context.setups.complete(link.id, executor);
      await insertNotice(executor, 'directory.setup_completed', directory, { link_id: link.id });
      await this.record('completed', link, call, executor);
    });
    return null;
  }

  /** Logs `directory.setup_connected` for sessions whose first request was accepted; once for each. */
  async markConnected(linkId: string | null = null): Promise<void> {
    let count: number;
    do {
      count = await this.context.sql.transaction(async (executor) => {
        const connected = await this.context.setups.markConnected(linkId, executor);
        for (const { linkId, ...directory } of connected) {
          await insertNotice(executor, 'directory.setup_connected', directory, { link_id: linkId });
        }
        return connected.length;
      });
    } while (count === CONNECTED_BATCH);
  }

  private require(cookie: string, action?: SetupAction) {
    return enterSetup(this.context, cookie, action);
  }

  private async record(
    name: string,
    link: SetupLink,
    call: CallContext,
    executor: SqlExecutor,
    more: Record<string, string> = {},
  ): Promise<void> {
    const details = { link_id: link.id, ...more };
    const change = { type: `directory.setup_${name}`, targetId: link.directoryId, details };
    await this.context.audit.insert([adminEventOf(change, callOf(link, call))], executor);
  }
}

function workspaceOf(link: SetupLink, { connection }: Directory): SetupWorkspace | null {
  if (!connection) return null;
  const { provider, domain } = connection;
  return { provider, domain, consentedAt: link.consentedAt };
}

const linkGone = () => new DomainError(SyncErrors.SETUP_LINK_GONE);
