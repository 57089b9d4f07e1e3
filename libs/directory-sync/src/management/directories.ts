import {
  adminEventOf,
  type CallContext,
  InputReader,
  invalidField,
  type SqlExecutor,
  uuidv7,
} from '@gatehouse/service-kit';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { isUuid } from '../database/uuid.js';
import { Directory } from '../directories/directory.entity.js';
import type {
  DirectoryFilter,
  DirectoryRepository,
  DirectoryUpdate,
} from '../directories/directory.repository.js';
import type {
  DirectoryChanges,
  DirectoryStatus,
  DirectoryView,
  NewDirectory,
} from '../directories/directory.types.js';
import type { DirectorySecrets } from '../directories/directory-secrets.js';
import { directoryView } from '../directories/directory.view.js';
import { countsOf } from '../events/event.repository.js';
import type { OutboundPolicy } from '@gatehouse/delivery';
import type { SyncLogger } from '../sync-logger.js';
import {
  type DirectoryChangesInput,
  fieldsOf,
  overlapSeconds,
  providerType,
  readDirectoryChanges,
  readNewDirectory,
  scopeText,
  violationMessage,
} from './directory.input.js';
import { type Page, pageOf, type PageOf } from './page.input.js';
import { itemsOf, notFound, type Result, resultOf } from './result.js';

const PURGE_BUDGET_MS = 2_000;

export interface DirectoriesContext {
  sql: SqlExecutor;
  repository: DirectoryRepository;
  secrets: DirectorySecrets;
  policy: OutboundPolicy;
  externalUrl: string;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

/** Whether a view shows secrets. */
export interface SecretsOption {
  /** False: secrets are empty. Default true. */
  secrets?: boolean;
}

/**
 * The `directories` operations of the controller object. Each change is audited in its transaction,
 * for the caller of `call`.
 */
export class Directories {
  constructor(private readonly context: DirectoriesContext) {}

  /**
   * Creates a directory. 400 for a missing field, an unknown type, `:` in tenant or product, or a
   * webhook_url that the outbound policy refuses.
   */
  create(input: NewDirectory, call: CallContext = LIBRARY_CALL): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const directory = this.newDirectory(input);
      const { id: targetId } = directory;
      const details = { fields: fieldsOf(input) };
      const change = { type: 'directory.created', targetId, details };
      await this.context.repository.insert(directory, adminEventOf(change, call));
      return this.view(directory);
    });
  }

  /** 404 for an unknown directory. */
  get(id: string, options?: SecretsOption): Promise<Result<DirectoryView>> {
    return this.operation(async () => this.view(await this.require(id), options));
  }

  getByTenantAndProduct(
    tenant: string,
    product: string,
    options?: SecretsOption,
  ): Promise<Result<DirectoryView[]>> {
    return this.operation(async () => {
      const input = InputReader.of({ tenant, product }, { message: violationMessage });
      const scope = { tenant: scopeText(input, 'tenant'), product: scopeText(input, 'product') };
      input.throwIfInvalid();
      return this.views(await this.context.repository.list(scope, 0, 1_000), options);
    });
  }

  /** Newest first; 50 unless `pageLimit` says otherwise. */
  getAll(page: Page = {}): Promise<Result<DirectoryView[]>> {
    return itemsOf(this.getPage(page));
  }

  /** Directories of one product, or of one provider type. */
  filterBy(
    filter: { product?: string; provider?: string } & Page,
  ): Promise<Result<DirectoryView[]>> {
    return itemsOf(this.getFilteredPage(filter));
  }

  /** As `getAll`, with the offset of the next page. */
  getPage(page: Page & SecretsOption = {}): Promise<Result<PageOf<DirectoryView>>> {
    return this.operation(() => this.pageOfDirectories({}, page));
  }

  /** As `filterBy`, with the offset of the next page. */
  getFilteredPage(
    filter: { product?: string; provider?: string } & Page & SecretsOption,
  ): Promise<Result<PageOf<DirectoryView>>> {
    return this.operation(() => {
      const { product, provider } = filter ?? {};
      if (!product && !provider) throw invalidField('product', 'product or provider is required');
      const input = InputReader.of(filter);
      const by = {
        ...(product ? { product: input.requiredText('product', { max: 512 }) } : {}),
        ...(provider ? { type: providerType(input, 'provider') } : {}),
      };
      input.throwIfInvalid();
      return this.pageOfDirectories(by, filter);
    });
  }

  /**
   * Changes the given values. Any webhook_url, even the current one, restarts a stopped webhook.
   */
  update(
    id: string,
    changes: DirectoryChanges,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const directory = await this.require(id);
      const { repository, policy, wakeLane } = this.context;
      const update = this.updateOf(directory, readDirectoryChanges(changes, directory, policy));
      const details = { fields: fieldsOf(changes) };
      const change = { type: 'directory.updated', targetId: id, details };
      if (!(await repository.update(id, update, adminEventOf(change, call)))) {
        throw directoryNotFound();
      }
      if (update.webhookEndpoint) {
        await repository.endPause(id);
        wakeLane(id);
      }
      return this.view(await this.require(id));
    });
  }

  /** Deletes a directory with its users, groups and events, a large one in the background. */
  delete(id: string, call: CallContext = LIBRARY_CALL): Promise<Result<null>> {
    return this.operation(async () => {
      const { repository } = this.context;
      const event = adminEventOf({ type: 'directory.deleted', targetId: id }, call);
      const update = { deletedAt: new Date() };
      if (!isUuid(id) || !(await repository.update(id, update, event))) throw directoryNotFound();
      await repository.purge(id, PURGE_BUDGET_MS).catch((error: unknown) => {
        this.context.logger.warn({ err: error, directoryId: id }, 'purge is left to the worker');
      });
      return null;
    });
  }

  /** Replaces the SCIM secret. The old one stays valid for the overlap, by default not at all. */
  rotateSecret(
    id: string,
    overlap?: string | number,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const input = InputReader.of({ overlap });
      const seconds = overlapSeconds(input, 'overlap');
      input.throwIfInvalid();
      const directory = await this.require(id);
      if (!directory.scimSecretSha256) {
        throw invalidField('id', 'a workspace directory has no SCIM secret');
      }
      const { sealed, sha256 } = this.context.secrets.newScimSecret(id);
      const update: DirectoryUpdate = {
        scimSecretSealed: sealed,
        scimSecretSha256: sha256,
        // Copy the stored secret, which may be newer than the one read: rotations can overlap.
        scimSecretPreviousSha256: seconds > 0 ? () => 'scim_secret_sha256' : null,
        scimSecretPreviousUntil: seconds > 0 ? secondsFromNow(seconds) : null,
      };
      const event = adminEventOf({ type: 'directory.secret_rotated', targetId: id }, call);
      await this.context.repository.update(id, update, event);
      return this.view(await this.require(id));
    });
  }

  /** The state of delivery. 404 for an unknown directory. */
  status(id: string): Promise<Result<DirectoryStatus>> {
    return this.operation(async () => {
      const directory = await this.require(id);
      const { pending, oldestPendingAgeSeconds, dead } = await countsOf(this.context.sql, id);
      return {
        last_request_at: directory.lastRequestAt?.toISOString() ?? null,
        pending,
        oldest_pending_age_seconds: oldestPendingAgeSeconds,
        dead,
        ignored_members: Number(directory.ignoredMembers),
        webhook: { state: webhookState(directory) },
      };
    });
  }

  private async pageOfDirectories(
    by: DirectoryFilter,
    page: Page & SecretsOption,
  ): Promise<PageOf<DirectoryView>> {
    const { offset, limit } = pageOf(page);
    const found = await this.context.repository.list(by, offset, limit + 1);
    const items = this.views(found.slice(0, limit), page ?? {});
    return { items, nextOffset: found.length > limit ? offset + limit : null };
  }

  private newDirectory(json: unknown): Directory {
    const { secrets, policy } = this.context;
    const { webhookSecret, ...input } = readNewDirectory(json, policy);
    const id = uuidv7();
    const scimSecret = secrets.newScimSecret(id);
    const hasWebhookSecret = input.webhookEndpoint !== null || webhookSecret !== undefined;
    return Object.assign(new Directory(), {
      id,
      ...input,
      revision: 1,
      deactivated: false,
      webhookSecretSealed: hasWebhookSecret ? secrets.sealWebhookSecret(id, webhookSecret) : null,
      scimSecretSealed: scimSecret.sealed,
      scimSecretSha256: scimSecret.sha256,
    });
  }

  private updateOf(
    directory: Directory,
    { newSecret, ...values }: DirectoryChangesInput,
  ): DirectoryUpdate {
    const { secrets } = this.context;
    const entries = Object.entries(values).filter(([, value]) => value !== undefined);
    const update = Object.fromEntries(entries) as DirectoryUpdate;
    if (values.webhookEndpoint !== undefined) {
      update.webhookStoppedAt = null;
      if (values.webhookEndpoint !== null && directory.webhookSecretSealed === null) {
        update.webhookSecretSealed = secrets.sealWebhookSecret(directory.id);
      }
    }
    if (newSecret !== undefined) {
      const { text, overlapSeconds: seconds } = newSecret;
      update.webhookSecretSealed = secrets.sealWebhookSecret(directory.id, text);
      update.webhookSecretPreviousSealed = seconds > 0 ? () => 'webhook_secret_sealed' : null;
      update.webhookSecretPreviousUntil = seconds > 0 ? secondsFromNow(seconds) : null;
    }
    return update;
  }

  private async require(id: string): Promise<Directory> {
    const directory = isUuid(id) ? await this.context.repository.find(id) : null;
    if (!directory) throw directoryNotFound();
    return directory;
  }

  private view(directory: Directory, { secrets = true }: SecretsOption = {}): DirectoryView {
    const { secrets: opener, externalUrl } = this.context;
    return directoryView(directory, secrets ? opener : undefined, externalUrl);
  }

  private views(directories: Directory[], options?: SecretsOption): DirectoryView[] {
    return directories.map((directory) => this.view(directory, options));
  }

  private operation<T>(work: () => Promise<T>): Promise<Result<T>> {
    return resultOf(this.context.logger, work);
  }
}

function webhookState(directory: Directory): DirectoryStatus['webhook']['state'] {
  if (directory.webhookEndpoint === null) return 'none';
  return directory.webhookStoppedAt === null ? 'active' : 'stopped';
}

function directoryNotFound() {
  return notFound('Directory not found.');
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
