/**
 * What administrators do with the endpoints of one source, the same in every service. Changes of one
 * source wait for each other, so that none is lost and their number stays within its limit.
 */
import { generateWebhookSecret } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid, uuidv7 } from '@gatehouse/kit/ids';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { DeliveryErrors } from '../delivery.errors.js';
import { type EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { type EndpointInput } from '../endpoints/endpoint.input.js';
import { type Endpoint, type EndpointSettings } from '../endpoints/endpoint.types.js';
import { Endpoints } from '../endpoints/endpoints.js';
import { type Sender, type Sent } from '../lane/sender.js';
import {
  type AttemptRecord,
  type DeliveryCounts,
  DeliveryStatus,
  type ParkedRecord,
} from '../status/delivery-status.js';

export const ENDPOINTS_MAX = 10;
const PAUSED_BY_HAND = 'paused by an administrator';

export interface EndpointAdminOptions {
  sql: Sql;
  schema: string;
  sourceId: string;
  secrets: Pick<EndpointSecrets, 'seal' | 'open'>;
  /** Sends tests. */
  sender: Pick<Sender, 'ping'>;
  /** Wakes the lanes of the source after a change. */
  wake: () => void;
  /**
   * Locks the source for a change, and returns whether it takes deliveries. By default, an advisory
   * lock of a source that always does.
   */
  lock?: (sql: SqlExecutor) => Promise<{ isActive: boolean }>;
}

/** Writes the audit event of a change, in the transaction of the change. */
export type Audit = (sql: SqlExecutor, endpointId: string) => Promise<void>;

/** Without a secret, one is generated. */
export type NewEndpoint = EndpointInput & { secret?: string };

export interface SecretRotation {
  secret?: string;
  /** How long the current secret signs as well. */
  overlapSeconds: number;
}

/** An endpoint with its secret, which is shown when it is set and never again. */
export interface EndpointWithSecret {
  endpoint: Endpoint;
  secret: string;
}

export class EndpointAdmin {
  private readonly endpoints: Endpoints;
  private readonly delivered: DeliveryStatus;

  constructor(private readonly options: EndpointAdminOptions) {
    const { sql, schema } = options;
    this.endpoints = new Endpoints(schema);
    this.delivered = new DeliveryStatus(sql, schema);
  }

  /** Oldest first. */
  list(): Promise<Endpoint[]> {
    return this.endpoints.list(this.options.sql, [this.options.sourceId]);
  }

  /** @throws DomainError `not_found` */
  async get(id: string, sql: SqlExecutor = this.options.sql): Promise<Endpoint> {
    const endpoint = isUuid(id) ? await this.endpoints.find(sql, id) : undefined;
    if (endpoint?.sourceId === this.options.sourceId) return endpoint;
    throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_NOT_FOUND);
  }

  /** The names of the headers of an endpoint; none if ENCRYPTION_KEYS does not open them. */
  headerNames({ id, headersSealed }: Endpoint): string[] {
    if (headersSealed === null) return [];
    try {
      return Object.keys(
        JSON.parse(this.options.secrets.open(id, 'headers', headersSealed)) as object,
      );
    } catch {
      return [];
    }
  }

  /**
   * Adds an endpoint that receives the events from now on.
   *
   * @throws DomainError `failed_precondition` if there are ten already
   */
  create(
    { secret = generateWebhookSecret(), headers, ...settings }: NewEndpoint,
    audit: Audit,
  ): Promise<EndpointWithSecret> {
    const { sourceId, secrets } = this.options;
    const id = uuidv7();
    return this.whileLocked(async (sql, isActive) => {
      const existing = await this.endpoints.list(sql, [sourceId]);
      if (existing.length >= ENDPOINTS_MAX) {
        throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_LIMIT_REACHED);
      }
      await this.endpoints.insert(sql, id, sourceId, {
        ...settings,
        headersSealed: this.sealedHeaders(id, headers),
        secretSealed: secrets.seal(id, 'secret', secret),
        enabled: isActive,
      });
      await audit(sql, id);
      return { endpoint: await this.get(id, sql), secret };
    });
  }

  /**
   * Changes the given settings. A new URL ends a pause that failures caused.
   *
   * @throws DomainError `not_found`
   */
  async update(id: string, changes: Partial<EndpointInput>, audit: Audit): Promise<Endpoint> {
    const updated = await this.change(id, audit, async (sql, endpoint) => {
      const { headers, ...given } = changes;
      const settings: EndpointSettings = { ...endpoint, ...given };
      if (headers !== undefined) settings.headersSealed = this.sealedHeaders(id, headers);
      await this.endpoints.update(sql, id, settings);
      const hasMoved = settings.url !== endpoint.url;
      if (hasMoved && endpoint.state !== 'healthy' && !isPausedByHand(endpoint)) {
        await this.endpoints.resume(sql, id);
      }
    });
    this.options.wake();
    return updated;
  }

  /** @throws DomainError `not_found` */
  async delete(id: string, audit: Audit): Promise<void> {
    await this.whileLocked(async (sql) => {
      await this.get(id, sql);
      await this.endpoints.delete(sql, id);
      await audit(sql, id);
    });
  }

  /**
   * Replaces the secret. Both sign for `overlapSeconds`.
   *
   * @throws DomainError `not_found`
   */
  async rotateSecret(
    id: string,
    { secret = generateWebhookSecret(), overlapSeconds }: SecretRotation,
    audit: Audit,
  ): Promise<EndpointWithSecret> {
    const sealed = this.options.secrets.seal(id, 'secret', secret);
    const endpoint = await this.change(id, audit, (sql) =>
      this.endpoints.rotateSecret(sql, id, sealed, overlapSeconds),
    );
    return { endpoint, secret };
  }

  /** Stops deliveries until `resume`; events wait. @throws DomainError `not_found` */
  pause(id: string, audit: Audit): Promise<Endpoint> {
    return this.change(id, audit, (sql) => this.endpoints.pause(sql, id, PAUSED_BY_HAND));
  }

  /** Continues with the event after the last one delivered. @throws DomainError `not_found` */
  async resume(id: string, audit: Audit): Promise<Endpoint> {
    const endpoint = await this.change(id, audit, (sql) => this.endpoints.resume(sql, id));
    this.options.wake();
    return endpoint;
  }

  /** Sends a signed `webhook.ping` and returns what happened. @throws DomainError `not_found` */
  async test(id: string, audit: Audit): Promise<Sent> {
    const endpoint = await this.get(id);
    await audit(this.options.sql, id);
    return this.options.sender.ping(endpoint);
  }

  /** Attempts, newest first; `before` is the id of the last one that was read. @throws `not_found` */
  async attempts(id: string, before: string | undefined, limit: number): Promise<AttemptRecord[]> {
    return this.delivered.attemptsTo(await this.get(id), before, limit);
  }

  /**
   * Events that the endpoint refused while it took others, newest first; `before` is the sequence of
   * the last one that was read.
   *
   * @throws DomainError `not_found`
   */
  async parked(id: string, before: string | undefined, limit: number): Promise<ParkedRecord[]> {
    await this.get(id);
    return this.delivered.parkedOf(id, { before, limit });
  }

  /** The events that wait for the endpoint. @throws DomainError `not_found` */
  async counts(id: string): Promise<DeliveryCounts> {
    const { sourceId } = await this.get(id);
    return this.delivered.countsOf(sourceId, id);
  }

  private change(
    id: string,
    audit: Audit,
    work: (sql: SqlExecutor, endpoint: Endpoint) => Promise<void>,
  ): Promise<Endpoint> {
    return this.whileLocked(async (sql) => {
      await work(sql, await this.get(id, sql));
      await audit(sql, id);
      return this.get(id, sql);
    });
  }

  private whileLocked<T>(work: (sql: SqlExecutor, isActive: boolean) => Promise<T>): Promise<T> {
    const { sql, lock = (executor) => this.lock(executor) } = this.options;
    return sql.transaction(async (executor) => work(executor, (await lock(executor)).isActive));
  }

  private async lock(sql: SqlExecutor): Promise<{ isActive: boolean }> {
    const { schema, sourceId } = this.options;
    const text = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    await sql.rows({ text }, [`${schema}.endpoints:${sourceId}`]);
    return { isActive: true };
  }

  private sealedHeaders(id: string, headers: EndpointInput['headers']): string | null {
    return headers && this.options.secrets.seal(id, 'headers', JSON.stringify(headers));
  }
}

/** A pause by the schedule has a next attempt, the hourly probe. */
function isPausedByHand({ state, nextAttemptAt }: Endpoint): boolean {
  return state === 'paused' && nextAttemptAt === null;
}
