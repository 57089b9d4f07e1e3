/**
 * What administrators do with the endpoints of one source, the same in every service. Changes of one
 * source wait for each other, so that none is lost and their number stays within its limit.
 */
import { generateWebhookSecret, type KeyRing } from '@gatehouse/crypto';
import { DomainError, type Sql, type SqlExecutor, uuidv7 } from '@gatehouse/service-kit';
import { DeliveryErrors } from '../delivery.errors.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { type EndpointInput } from '../endpoints/endpoint.input.js';
import { type Endpoint, type EndpointSettings } from '../endpoints/endpoint.types.js';
import { Endpoints } from '../endpoints/endpoints.js';
import { Sender, type Sent } from '../lane/sender.js';
import { OutboundClient, type OutboundPolicy } from '../outbound/outbound.js';

export const ENDPOINTS_MAX = 10;
const TEST_TIMEOUT_MS = 10_000;
const PAUSED_BY_HAND = 'paused by an administrator';

export interface EndpointAdminOptions {
  sql: Sql;
  schema: string;
  sourceId: string;
  /** ENCRYPTION_KEYS of the service. */
  ring: KeyRing;
  outbound: OutboundPolicy;
  /** Wakes the lanes of the source after a change. */
  wake: () => void;
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
  private readonly secrets: EndpointSecrets;
  private readonly outbound: OutboundClient;
  private readonly sender: Sender;

  constructor(private readonly options: EndpointAdminOptions) {
    const { schema, ring } = options;
    this.endpoints = new Endpoints(schema);
    this.secrets = new EndpointSecrets(ring, schema);
    this.outbound = new OutboundClient(options.outbound);
    this.sender = new Sender(this.secrets, this.outbound, TEST_TIMEOUT_MS);
  }

  /** Oldest first. */
  list(): Promise<Endpoint[]> {
    return this.endpoints.list(this.options.sql, [this.options.sourceId]);
  }

  /** @throws DomainError `not_found` */
  async get(id: string, sql: SqlExecutor = this.options.sql): Promise<Endpoint> {
    const endpoint = await this.endpoints.find(sql, id);
    if (endpoint?.sourceId === this.options.sourceId) return endpoint;
    throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_NOT_FOUND);
  }

  /** The names of the headers of an endpoint; none if ENCRYPTION_KEYS does not open them. */
  headerNames({ id, headersSealed }: Endpoint): string[] {
    if (headersSealed === null) return [];
    try {
      return Object.keys(JSON.parse(this.secrets.open(id, 'headers', headersSealed)) as object);
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
    const { sourceId } = this.options;
    const id = uuidv7();
    return this.whileLocked(async (sql) => {
      const existing = await this.endpoints.list(sql, [sourceId]);
      if (existing.length >= ENDPOINTS_MAX) {
        throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_LIMIT_REACHED);
      }
      await this.endpoints.insert(sql, id, sourceId, {
        ...settings,
        headersSealed: this.sealedHeaders(id, headers),
        secretSealed: this.secrets.seal(id, 'secret', secret),
        enabled: true,
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
    const sealed = this.secrets.seal(id, 'secret', secret);
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
    return this.sender.ping(endpoint);
  }

  /** Aborts the tests under way. */
  async close(): Promise<void> {
    await this.outbound.close();
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

  private whileLocked<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    const { sql, schema, sourceId } = this.options;
    return sql.transaction(async (executor) => {
      await executor.rows({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' }, [
        `${schema}.endpoints:${sourceId}`,
      ]);
      return work(executor);
    });
  }

  private sealedHeaders(id: string, headers: EndpointInput['headers']): string | null {
    return headers && this.secrets.seal(id, 'headers', JSON.stringify(headers));
  }
}

/** A pause by the schedule has a next attempt, the hourly probe. */
function isPausedByHand({ state, nextAttemptAt }: Endpoint): boolean {
  return state === 'paused' && nextAttemptAt === null;
}
