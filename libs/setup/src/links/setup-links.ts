/** Setup links as applications create them for the administrators of identity providers. */
import { randomToken, sha256 } from '@gatehouse/crypto';
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { isUuid, uuidv7 } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type Providers } from '@gatehouse/workspace-providers';
import { randomBytes } from 'node:crypto';
import {
  LIBRARY_CALL,
  type ConnectionSettings,
  type DirectoryRepository,
  type ScimTokenRepository,
  type Directories,
  type Page,
  type PageOf,
  pageOf,
  notFound,
} from '@gatehouse/directory-sync/parts';
import { setupTokenName } from './setup-token.js';
import { LINKS_PER_DIRECTORY_MAX, type SetupRepository } from './setup.repository.js';
import {
  type SetupAction,
  type SetupLink,
  setupLinkView,
  type SetupLinkView,
} from './setup.types.js';
import { withoutClient } from './setup-consents.js';
import {
  type NewSetupLinkInput,
  readNewSetupLink,
  type ReadSetupLink,
} from './setup-link.input.js';

/** The path of the pages below the external URL. */
export const SETUP_PATH = '/setup';

export interface SetupLinksContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  directoryService: Directories;
  setups: SetupRepository;
  tokens: ScimTokenRepository;
  providers: Providers;
  externalUrl: string;
  /** Empty: a return_url may be any https address. */
  allowedReturnUrls: readonly string[];
}

/** Options of `setupLinks.revoke`. */
export interface SetupLinkRevocation {
  /** Whether the SCIM token of the link becomes invalid as well. */
  delete_token?: boolean;
}

/** The `setupLinks` operations of the controller object. Each change is audited in its transaction. */
export class SetupLinks {
  constructor(private readonly context: SetupLinksContext) {}

  /**
   * Creates a link to a directory, or to a new one. Its `url` is shown only here. 404 for an unknown
   * directory, 409 for one with as many links as allowed, and for a workspace directory if this service is
   * no client of its provider.
   */
  async create(
    input: NewSetupLinkInput,
    call: CallContext = LIBRARY_CALL,
  ): Promise<SetupLinkView & { url: string }> {
    const { sql, setups, directories, directoryService } = this.context;
    const { allowedReturnUrls, externalUrl } = this.context;
    const read = readNewSetupLink(input, allowedReturnUrls);
    const secret = randomToken();
    const rest = {
      id: uuidv7(),
      secretSha256: sha256(secret),
      csrfKey: randomBytes(32),
      ttlSeconds: read.ttlSeconds,
      sessionSeconds: read.sessionSeconds,
      returnUrl: read.returnUrl,
      locale: read.locale,
      allow: await this.actionsOf(read),
      roles: read.roles,
    };
    let created: SetupLink | undefined;
    const insert = async (directoryId: string, executor: SqlExecutor) => {
      const attributes = await this.attributesOf(directoryId, { ...read, ...rest }, executor);
      created = await setups.insert({ ...rest, directoryId, attributes }, executor);
      if (created) await this.record('created', created, call, executor);
    };
    if (read.directory) {
      await directoryService.createWith(read.directory.fields, call, insert);
    } else {
      const directoryId = read.directoryId as string;
      await sql.transaction(async (executor) => {
        // One link at a time, so that each counts those before it.
        if (!(await directories.lockForEndpoints(executor, directoryId))) throw unknownDirectory();
        await insert(directoryId, executor);
      });
    }
    if (!created) throw tooMany();
    return { ...setupLinkView(created), url: `${externalUrl}${SETUP_PATH}/${secret}` };
  }

  /** Newest first, of one directory or of all. 404 for an unknown directory. */
  async getPage(filter: { directory_id?: string } & Page = {}): Promise<PageOf<SetupLinkView>> {
    const { offset, limit } = pageOf(filter);
    const { directories, setups } = this.context;
    const reader = InputReader.ofQuery(filter ?? {});
    const directoryId = reader.text('directory_id') || null;
    reader.throwIfInvalid();
    if (directoryId !== null) {
      const isKnown = isUuid(directoryId) && (await directories.access(directoryId));
      if (!isKnown) throw unknownDirectory();
    }
    const found = await setups.list(directoryId, offset, limit + 1);
    const nextOffset = found.length > limit ? offset + limit : null;
    return { items: found.slice(0, limit).map(setupLinkView), nextOffset };
  }

  async get(id: string): Promise<SetupLinkView> {
    const link = isUuid(id) ? await this.context.setups.find(id) : undefined;
    if (!link) throw absent();
    return setupLinkView(link);
  }

  /**
   * The link can no longer be opened, and its session ends at once. With `delete_token`, its SCIM token
   * becomes invalid too, even if the link was revoked before.
   */
  async revoke(
    id: string,
    options: SetupLinkRevocation = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<SetupLinkView> {
    const input = InputReader.ofQuery(options ?? {});
    const deletesToken = input.boolean('delete_token') ?? false;
    input.throwIfInvalid();
    return this.change(id, 'revoked', 'revokedAt', call, async (sql) => {
      if (deletesToken) await this.deleteToken(id, call, sql);
      return this.context.setups.revoke(id, sql);
    });
  }

  /** Ends the session of a link. 404 if the link was not opened. */
  async endSession(id: string, call: CallContext = LIBRARY_CALL): Promise<SetupLinkView> {
    return this.change(id, 'session_ended', 'sessionEndedAt', call, (sql) =>
      this.context.setups.endSession(id, sql),
    );
  }

  /** The attributes that the administrator may map. @throws DomainError 400 if there are none */
  private async attributesOf(
    directoryId: string,
    { allow, attributes }: { allow: readonly SetupAction[]; attributes?: string[] },
    sql: SqlExecutor,
  ): Promise<string[]> {
    if (!allow.includes('mapping')) {
      if (attributes === undefined) return [];
      throw invalidField('attributes', 'requires mapping in allow');
    }
    const names = attributes ?? (await this.context.setups.mappedAttributes(directoryId, sql));
    if (names.length > 0) return names;
    throw invalidField('attributes', 'is required because the directory maps no attributes');
  }

  private async change(
    id: string,
    name: string,
    over: 'revokedAt' | 'sessionEndedAt',
    call: CallContext,
    write: (sql: SqlExecutor) => Promise<SetupLink | undefined>,
  ): Promise<SetupLinkView> {
    if (!isUuid(id)) throw absent();
    const link = await this.context.sql.transaction(async (sql) => {
      const changed = await write(sql);
      if (changed) await this.record(name, changed, call, sql);
      return changed ?? (await this.context.setups.find(id, sql));
    });
    // A link that has ended has nothing to record.
    if (!link?.[over]) throw absent();
    return setupLinkView(link);
  }

  /** Locks the directory before the link, as sessions do that create a token: none appears afterwards. */
  private async deleteToken(linkId: string, call: CallContext, sql: SqlExecutor): Promise<void> {
    const { setups, directories, tokens, audit } = this.context;
    const link = await setups.find(linkId, sql);
    if (!link || !(await directories.lockForEndpoints(sql, link.directoryId))) return;
    const { directoryId } = link;
    const name = setupTokenName(linkId);
    const token = (await tokens.list(directoryId, sql)).find((each) => each.name === name);
    if (!token) return;
    await tokens.delete(directoryId, token.id, sql);
    const details = { directory_id: directoryId, name, link_id: linkId };
    const change = {
      type: 'scim_token.deleted',
      targetId: token.id,
      ownerId: directoryId,
      details,
    };
    await audit.insert([adminEventOf(change, call)], sql);
  }

  private async record(
    name: string,
    link: SetupLink,
    call: CallContext,
    sql: SqlExecutor,
  ): Promise<void> {
    const details = { link_id: link.id };
    const change = { type: `directory.setup_link_${name}`, targetId: link.directoryId, details };
    await this.context.audit.insert([adminEventOf(change, call)], sql);
  }

  /** Actions that the pages offer. @throws DomainError if it does not fit the directory */
  private async actionsOf(read: ReadSetupLink): Promise<SetupAction[]> {
    const workspace = await this.workspaceOf(read);
    const { allow } = read;
    if (!workspace) {
      if (allow?.includes('groups')) throw invalidField('allow', NOT_OF_SCIM);
      return allow ?? ['token'];
    }
    if (allow?.some((action) => !WORKSPACE_ACTIONS.includes(action))) {
      throw invalidField('allow', `may have ${WORKSPACE_ACTIONS.join(' and ')} for a workspace`);
    }
    const provider = this.context.providers.of(workspace.provider);
    if (provider.consentKind(workspace) === 'none') {
      const message = 'is read by a service account, without consent, so needs no link';
      throw invalidField('directory_id', message);
    }
    try {
      provider.requireClient();
    } catch (error) {
      throw withoutClient(error);
    }
    return allow ?? [];
  }

  /** Null for a directory of another type. */
  private async workspaceOf({
    directory,
    directoryId,
  }: ReadSetupLink): Promise<ConnectionSettings | null> {
    if (directory) return directory.workspace;
    const found = await this.context.directories.find(directoryId as string);
    if (!found) throw unknownDirectory();
    return found.connection;
  }
}

/** Actions that a workspace directory may offer beside the consent. */
const WORKSPACE_ACTIONS: readonly SetupAction[] = ['groups', 'roles'];
const NOT_OF_SCIM = 'may have groups only for a workspace: with SCIM, the provider chooses them';

const unknownDirectory = () => notFound('Directory not found.');
const absent = () => notFound('Setup link not found.');

const tooMany = () =>
  new DomainError(KitErrors.FAILED_PRECONDITION, {
    message: `The directory has ${LINKS_PER_DIRECTORY_MAX} setup links already; revoke one first.`,
  });
