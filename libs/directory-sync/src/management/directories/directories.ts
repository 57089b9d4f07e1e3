import { type DeliveryStatus } from '@gatehouse/delivery';
import { type Providers } from '@gatehouse/workspace-providers';
import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type Directory } from '../../directories/directory.entity.js';
import {
  type DirectoryFilter,
  type DirectoryRepository,
  type DirectoryUpdate,
} from '../../directories/directory.repository.js';
import {
  type DirectoryChanges,
  type DirectoryStatus,
  type DirectoryView,
  HEALTH_STATES,
  type HealthState,
  type ListedDirectory,
  type NewDirectory,
} from '../../directories/directory.types.js';
import { type DirectorySecrets } from '../../directories/directory-secrets.js';
import { directoryHealth, directoryView } from '../../directories/directory.view.js';
import { changeEndpoints, type WebhookChanges } from '../../directories/directory-webhook.js';
import { type SyncLogger } from '../../sync-logger.js';
import { changeConnection } from '../../workspace/connection-settings.js';
import {
  type DirectoryChangesInput,
  fieldsOf,
  overlapSeconds,
  providerType,
  readDirectoryChanges,
  scopeText,
} from './directory.input.js';
import { type RequestLogRepository } from '../../request-log/request-log.repository.js';
import { type RunRepository } from '../../workspace/runs/run.repository.js';
import { directoryStatus } from './directory-status.js';
import { newDirectory } from './new-directory.js';
import { STRICT, violationMessage } from '../body.input.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';

const PURGE_BUDGET_MS = 2_000;

export interface DirectoriesContext {
  repository: DirectoryRepository;
  delivered: DeliveryStatus;
  runs: Pick<RunRepository, 'findLast'>;
  requests: Pick<RequestLogRepository, 'summary'>;
  secrets: DirectorySecrets;
  policy: OutboundPolicy;
  externalUrl: string;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
  providers: Providers;
}

/** The health that directories must have to be listed. */
export interface HealthFilter {
  /** Those with this fault, or `healthy` or `deactivated` ones. */
  state?: HealthState;
  has_errors?: boolean;
  /** Active ones with `requests.quiet_since`, or all without it. */
  quiet?: boolean;
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
  async create(input: NewDirectory, call: CallContext = LIBRARY_CALL): Promise<DirectoryView> {
    return this.view(await this.require(await this.createWith(input, call)));
  }

  /** As `create`, with `alsoIn` in the same transaction. @returns the id @throws DomainError */
  async createWith(
    input: NewDirectory,
    call: CallContext,
    alsoIn?: (id: string, sql: SqlExecutor) => Promise<void>,
  ): Promise<string> {
    const { directory, webhook, connection } = newDirectory(input, this.context);
    const change = { targetId: directory.id, details: { fields: fieldsOf(input) } };
    const event = adminEventOf({ type: 'directory.created', ...change }, call);
    await this.context.repository.insert(directory, webhook, connection, event, alsoIn);
    return directory.id;
  }

  /** 404 for an unknown directory. */
  async get(id: string, options?: SecretsOption): Promise<DirectoryView> {
    return this.view(await this.require(id), options);
  }

  async getByTenantAndProduct(
    tenant: string,
    product: string,
    options?: SecretsOption,
  ): Promise<ListedDirectory[]> {
    const input = InputReader.of({ tenant, product }, { message: violationMessage });
    const scope = { tenant: scopeText(input, 'tenant'), product: scopeText(input, 'product') };
    input.throwIfInvalid();
    return this.views(await this.context.repository.list(scope, 0, 1_000), options);
  }

  /** Newest first; 50 unless `pageLimit` says otherwise. */
  async getAll(
    page: { tenant?: string; product?: string } & HealthFilter & Page = {},
  ): Promise<ListedDirectory[]> {
    return (await this.getPage(page)).items;
  }

  /** Directories of one product, or of one provider type. */
  async filterBy(
    filter: { product?: string; provider?: string } & HealthFilter & Page,
  ): Promise<ListedDirectory[]> {
    return (await this.getFilteredPage(filter)).items;
  }

  /** As `getAll`, with the offset of the next page. */
  async getPage(
    page: { tenant?: string; product?: string } & HealthFilter & Page & SecretsOption = {},
  ): Promise<PageOf<ListedDirectory>> {
    const input = InputReader.ofQuery(page ?? {}, { message: violationMessage });
    const by = healthFilter(input);
    if (page?.tenant) by.tenant = scopeText(input, 'tenant');
    if (page?.product) by.product = scopeText(input, 'product');
    input.throwIfInvalid();
    return this.pageOfDirectories(by, page);
  }

  /** As `filterBy`, with the offset of the next page. */
  async getFilteredPage(
    filter: { product?: string; provider?: string } & HealthFilter & Page & SecretsOption,
  ): Promise<PageOf<ListedDirectory>> {
    const { product, provider } = filter ?? {};
    if (!product && !provider) throw invalidField('product', 'product or provider is required');
    const input = InputReader.ofQuery(filter, { message: violationMessage });
    const by = healthFilter(input);
    if (product) by.product = scopeText(input, 'product');
    if (provider) by.type = providerType(input, 'provider');
    input.throwIfInvalid();
    return this.pageOfDirectories(by, filter);
  }

  /**
   * Changes the given values. Any webhook_url, even the current one, restarts a stopped webhook.
   */
  async update(
    id: string,
    changes: DirectoryChanges,
    call: CallContext = LIBRARY_CALL,
  ): Promise<DirectoryView> {
    const directory = await this.require(id);
    const { repository, policy, wakeLane, providers } = this.context;
    const input = readDirectoryChanges(changes, directory, policy);
    const sent = Object.entries(input.changes).filter(([, value]) => value !== undefined);
    const details = { fields: fieldsOf(changes) };
    const change = { type: 'directory.updated', targetId: id, details };
    const webhook = this.webhookChanges(id, input.webhook);
    const isKnown = await repository.update(
      id,
      Object.fromEntries(sent),
      adminEventOf(change, call),
      async (sql, { webhook: current, deactivated }) => {
        const isActive = !deactivated;
        await changeEndpoints(repository.endpoints, sql, current, { ...webhook, isActive });
        if (!input.workspace) return;
        await changeConnection(repository.connections, providers, sql, id, input.workspace);
      },
    );
    if (!isKnown) throw directoryNotFound();
    if (input.webhook.url) wakeLane(id);
    return this.view(await this.require(id));
  }

  /** Deletes a directory with its users, groups and events, a large one in the background. */
  async delete(id: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    const { repository } = this.context;
    const event = adminEventOf({ type: 'directory.deleted', targetId: id }, call);
    const update = { deletedAt: new Date() };
    if (!isUuid(id) || !(await repository.update(id, update, event))) throw directoryNotFound();
    await repository.purge(id, PURGE_BUDGET_MS).catch((error: unknown) => {
      this.context.logger.warn({ err: error, directoryId: id }, 'purge is left to the worker');
    });
    return null;
  }

  /** Replaces the SCIM secret. The old one stays valid for the overlap, by default not at all. */
  async rotateSecret(
    id: string,
    overlap?: string | number,
    call: CallContext = LIBRARY_CALL,
  ): Promise<DirectoryView> {
    const input = InputReader.of({ overlap }, STRICT);
    const seconds = overlapSeconds(input, 'overlap');
    input.throwIfInvalid();
    const directory = await this.require(id);
    if (directory.type === 'workspace') {
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
  }

  /** The state of delivery. 404 for an unknown directory. */
  async status(id: string): Promise<DirectoryStatus> {
    const directory = await this.require(id);
    const { delivered, runs, requests } = this.context;
    const isPulled = directory.type === 'workspace';
    const lastRun = isPulled ? await runs.findLast(id) : undefined;
    const summary = isPulled ? undefined : await requests.summary(id);
    const { repository } = this.context;
    const faults = (await repository.faultsOf([id])).get(id) ?? [];
    const counts = await delivered.countsOf(id);
    const keyLink = await repository.keyLinks.status(id);
    return directoryStatus(directory, faults, counts, lastRun, summary, keyLink);
  }

  private async pageOfDirectories(
    by: DirectoryFilter,
    page: Page & SecretsOption,
  ): Promise<PageOf<ListedDirectory>> {
    const { offset, limit } = pageOf(page);
    const found = await this.context.repository.list(by, offset, limit + 1);
    const items = await this.views(found.slice(0, limit), page ?? {});
    return { items, nextOffset: found.length > limit ? offset + limit : null };
  }

  private webhookChanges(
    id: string,
    { url, secret, logsAttempts }: DirectoryChangesInput['webhook'],
  ): Omit<WebhookChanges, 'isActive'> {
    const { secrets } = this.context;
    return {
      url,
      logsAttempts,
      newSecret: () => secrets.sealWebhookSecret(id),
      secret: secret && {
        sealed: secrets.sealWebhookSecret(id, secret.text),
        overlapSeconds: secret.overlapSeconds,
      },
    };
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

  private async views(
    directories: Directory[],
    options?: SecretsOption,
  ): Promise<ListedDirectory[]> {
    const faults = await this.context.repository.faultsOf(directories.map(({ id }) => id));
    return directories.map((directory) => ({
      ...this.view(directory, options),
      health: directoryHealth(directory, faults.get(directory.id) ?? []),
    }));
  }
}

function healthFilter(input: InputReader): DirectoryFilter {
  const state = input.oneOf('state', HEALTH_STATES);
  const hasErrors = input.boolean('has_errors');
  const quiet = input.boolean('quiet');
  const filter: DirectoryFilter = {};
  if (state !== undefined) filter.state = state;
  if (hasErrors !== undefined) filter.hasErrors = hasErrors;
  if (quiet !== undefined) filter.quiet = quiet;
  return filter;
}

function directoryNotFound() {
  return notFound('Directory not found.');
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
