import { randomUUID } from 'node:crypto';
import { invalidField } from '@gatehouse/service-kit';
import type { Executor } from '../database/database.js';
import { type OutboundPolicy } from '../outbound/outbound.js';
import { countsOf } from '../events/event.repository.js';
import { notFound, type Result, resultOf, type SyncLogger } from './result.js';
import { isUuid } from '../database/uuid.js';
import { Directory } from '../directories/directory.entity.js';
import {
  attributeMapping,
  knownType,
  optionalBoolean,
  optionalText,
  overlapSeconds,
  pageOf,
  requiredText,
  scopeText,
  webhookUrl,
} from './directory.input.js';
import {
  type DirectoryRepository,
  type DirectoryUpdate,
} from '../directories/directory.repository.js';
import type {
  DirectoryChanges,
  DirectoryStatus,
  DirectoryView,
  NewDirectory,
  Page,
} from '../directories/directory.types.js';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { directoryView } from '../directories/directory.view.js';

const PURGE_BUDGET_MS = 2_000;

export interface DirectoriesContext {
  executor: Executor;
  repository: DirectoryRepository;
  secrets: DirectorySecrets;
  policy: OutboundPolicy;
  externalUrl: string;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

/** The `directories` operations of the controller object. */
export class Directories {
  constructor(private readonly context: DirectoriesContext) {}

  /** Makes a directory. 400: a missing field, an unknown type, `:` in tenant or product, a refused webhook_url. */
  create(input: NewDirectory): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const directory = this.newDirectory((input ?? {}) as unknown as Record<string, unknown>);
      await this.context.repository.insert(directory);
      return this.view(directory);
    });
  }

  /** 404 when there is none. */
  get(id: string): Promise<Result<DirectoryView>> {
    return this.operation(async () => this.view(await this.require(id)));
  }

  getByTenantAndProduct(tenant: string, product: string): Promise<Result<DirectoryView[]>> {
    return this.operation(async () => {
      const scope = { tenant: scopeText(tenant, 'tenant'), product: scopeText(product, 'product') };
      return this.views(await this.context.repository.list(scope, 0, 1_000));
    });
  }

  getAll(page: Page = {}): Promise<Result<DirectoryView[]>> {
    return this.operation(async () => {
      const { offset, limit } = pageOf(page);
      return this.views(await this.context.repository.list({}, offset, limit));
    });
  }

  /** Directories of one product, or of one provider type. */
  filterBy(
    filter: { product?: string; provider?: string } & Page,
  ): Promise<Result<DirectoryView[]>> {
    return this.operation(async () => {
      const { product, provider } = filter ?? {};
      if (!product && !provider) throw invalidField('product', 'product or provider is required');
      const { offset, limit } = pageOf(filter);
      const by = {
        ...(product ? { product: requiredText(product, 'product') } : {}),
        ...(provider ? { type: knownType(provider, 'provider') } : {}),
      };
      return this.views(await this.context.repository.list(by, offset, limit));
    });
  }

  /** Changes what is given. A webhook address, also the same one again, starts a stopped webhook. */
  update(id: string, changes: DirectoryChanges): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const directory = await this.require(id);
      const update = this.changesOf(directory, (changes ?? {}) as Record<string, unknown>);
      const { repository, wakeLane } = this.context;
      if (!(await repository.update(id, update))) throw directoryNotFound();
      if (update.webhookEndpoint) {
        await repository.endPause(id);
        wakeLane(id);
      }
      return this.view(await this.require(id));
    });
  }

  /** Deletes a directory with its users, groups and events; the rows of a large one go in the background. */
  delete(id: string): Promise<Result<null>> {
    return this.operation(async () => {
      const exists = isUuid(id);
      if (!exists || !(await this.context.repository.update(id, { deletedAt: new Date() }))) {
        throw directoryNotFound();
      }
      await this.context.repository.purge(id, PURGE_BUDGET_MS).catch((error: unknown) => {
        this.context.logger.warn({ err: error, directoryId: id }, 'purge is left to the worker');
      });
      return null;
    });
  }

  /** Gives the directory a new SCIM secret; the old one works on for the overlap (default: not at all). */
  rotateSecret(id: string, overlap?: string | number): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const seconds = overlapSeconds(overlap, 'overlap');
      const directory = await this.require(id);
      if (!directory.scimSecretSha256) {
        throw invalidField('id', 'a workspace directory has no SCIM secret');
      }
      const { sealed, sha256 } = this.context.secrets.newScimSecret(id);
      await this.context.repository.update(id, {
        scimSecretSealed: sealed,
        scimSecretSha256: sha256,
        // The one that is there when this is written: another rotation may have come before.
        scimSecretPreviousSha256: seconds > 0 ? () => 'scim_secret_sha256' : null,
        scimSecretPreviousUntil: seconds > 0 ? secondsFromNow(seconds) : null,
      });
      return this.view(await this.require(id));
    });
  }

  /** How delivery stands. 404 when there is no such directory. */
  status(id: string): Promise<Result<DirectoryStatus>> {
    return this.operation(async () => {
      const directory = await this.require(id);
      const { pending, oldestPendingAgeSeconds, dead } = await countsOf(this.context.executor, id);
      return {
        last_sync: null,
        pending,
        oldest_pending_age_seconds: oldestPendingAgeSeconds,
        dead,
        ignored_members: Number(directory.ignoredMembers),
        webhook: { state: webhookState(directory) },
      };
    });
  }

  private newDirectory(input: Record<string, unknown>): Directory {
    const { secrets, policy } = this.context;
    const id = randomUUID();
    const tenant = scopeText(input.tenant, 'tenant');
    const product = scopeText(input.product, 'product');
    const type = knownType(input.type);
    const webhookEndpoint = webhookUrl(input.webhook_url, policy) ?? null;
    const webhookSecret = optionalText(input.webhook_secret, 'webhook_secret');
    const scimSecret = type === 'workspace' ? undefined : secrets.newScimSecret(id);
    return Object.assign(new Directory(), {
      id,
      tenant,
      product,
      type,
      name: optionalText(input.name, 'name') ?? `scim-${tenant}-${product}`,
      revision: 1,
      deactivated: false,
      logWebhookEvents: optionalBoolean(input.log_webhook_events, 'log_webhook_events') ?? false,
      attributeMapping: attributeMapping(input.attribute_mapping),
      webhookEndpoint,
      webhookSecretSealed:
        webhookEndpoint !== null || webhookSecret !== undefined
          ? secrets.sealWebhookSecret(id, webhookSecret)
          : null,
      scimSecretSealed: scimSecret?.sealed ?? null,
      scimSecretSha256: scimSecret?.sha256 ?? null,
      workspaceDomain: optionalText(input.workspace_domain, 'workspace_domain') ?? null,
      workspaceAccessTokenSealed: null,
      workspaceRefreshTokenSealed: null,
    });
  }

  private changesOf(directory: Directory, input: Record<string, unknown>): DirectoryUpdate {
    const changes: DirectoryUpdate = {};
    const { secrets } = this.context;
    for (const field of ['tenant', 'product', 'type'] as const) {
      const isOther = input[field] !== undefined && input[field] !== directory[field];
      if (isOther) throw invalidField(field, 'cannot be changed');
    }
    if (input.name !== undefined) changes.name = requiredText(input.name, 'name');
    const deactivated = optionalBoolean(input.deactivated, 'deactivated');
    if (deactivated !== undefined) changes.deactivated = deactivated;
    const logs = optionalBoolean(input.log_webhook_events, 'log_webhook_events');
    if (logs !== undefined) changes.logWebhookEvents = logs;
    if (input.attribute_mapping !== undefined) {
      changes.attributeMapping = attributeMapping(input.attribute_mapping);
    }
    if (input.workspace_domain !== undefined) {
      changes.workspaceDomain = optionalText(input.workspace_domain, 'workspace_domain') ?? null;
    }
    for (const [field, column] of WORKSPACE_TOKENS) {
      if (input[field] === undefined) continue;
      const token = optionalText(input[field], field, 8_192);
      changes[column] = token === undefined ? null : secrets.seal(directory.id, field, token);
    }
    return Object.assign(changes, this.webhookChanges(directory, input));
  }

  private webhookChanges(directory: Directory, input: Record<string, unknown>): DirectoryUpdate {
    const changes: DirectoryUpdate = {};
    const { secrets, policy } = this.context;
    if (input.webhook_url !== undefined) {
      changes.webhookEndpoint = webhookUrl(input.webhook_url, policy) ?? null;
      changes.webhookStoppedAt = null;
      if (changes.webhookEndpoint !== null && directory.webhookSecretSealed === null) {
        changes.webhookSecretSealed = secrets.sealWebhookSecret(directory.id, undefined);
      }
    }
    if (input.webhook_secret !== undefined) {
      const secret = requiredText(input.webhook_secret, 'webhook_secret');
      const seconds = overlapSeconds(input.webhook_secret_overlap, 'webhook_secret_overlap');
      changes.webhookSecretSealed = secrets.sealWebhookSecret(directory.id, secret);
      changes.webhookSecretPreviousSealed = seconds > 0 ? () => 'webhook_secret_sealed' : null;
      changes.webhookSecretPreviousUntil = seconds > 0 ? secondsFromNow(seconds) : null;
    }
    return changes;
  }

  private async require(id: string): Promise<Directory> {
    const directory = isUuid(id) ? await this.context.repository.find(id) : null;
    if (!directory) throw directoryNotFound();
    return directory;
  }

  private view(directory: Directory): DirectoryView {
    return directoryView(directory, this.context.secrets, this.context.externalUrl);
  }

  private views(directories: Directory[]): DirectoryView[] {
    return directories.map((directory) => this.view(directory));
  }

  private operation<T>(work: () => Promise<T>): Promise<Result<T>> {
    return resultOf(this.context.logger, work);
  }
}

const WORKSPACE_TOKENS = [
  ['workspace_access_token', 'workspaceAccessTokenSealed'],
  ['workspace_refresh_token', 'workspaceRefreshTokenSealed'],
] as const;

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
