/**
 * Webhook endpoint administration, from request JSON to response JSON, the same in every service. Changes
 * of one source are serialized, so that none is lost and the number of endpoints stays within its limit.
 * Each change is audited in its transaction.
 */
import { generateWebhookSecret } from '@gatehouse/crypto';
import { type CallContext, LIBRARY_CALL } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid, uuidv7 } from '@gatehouse/kit/ids';
import { InputReader, type JsonObject } from '@gatehouse/kit/input';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { DeliveryErrors } from '../delivery.errors.js';
import { type EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import {
  type EndpointChanges,
  type EndpointInput,
  type EndpointRotation,
  type NewWebhookEndpoint,
  readEndpoint,
  readEndpointChanges,
  readOverlap,
  readWebhookSecret,
} from '../endpoints/endpoint.input.js';
import { type Endpoint, type EndpointSettings } from '../endpoints/endpoint.types.js';
import { Endpoints } from '../endpoints/endpoints.js';
import { type Sender } from '../lane/sender.js';
import { DeliveryStatus } from '../status/delivery-status.js';
import { type AdminOptions, auditChange, pageRequestOf } from './admin-options.js';
import {
  type AttemptList,
  attemptView,
  type CountsView,
  countsView,
  type EndpointSecretView,
  type EndpointView,
  endpointView,
  type ParkedEventList,
  parkedEventView,
  type TestView,
  testView,
} from './endpoint.view.js';

export const ENDPOINTS_MAX = 10;
const PAUSED_BY_HAND = 'paused by an administrator';

export interface EndpointAdminOptions extends AdminOptions {
  secrets: Pick<EndpointSecrets, 'seal' | 'open'>;
  /** Sends tests. */
  sender: Pick<Sender, 'ping'>;
  /** The addresses that endpoints may have. */
  outbound: OutboundPolicy;
}

type Verb = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'paused' | 'resumed' | 'tested';

/** An action on one endpoint. */
interface Action {
  sourceId: string;
  id: string;
  verb: Verb;
  details?: JsonObject;
}

/** A query of a list: `page_size`, 50 by default, and `page_token`. */
export interface PageQuery {
  page_size?: number;
  page_token?: string;
}

/** Every method throws a DomainError: `not_found` for an unknown source or endpoint, 400 for bad input. */
export class EndpointAdmin {
  private readonly endpoints: Endpoints;
  private readonly delivered: DeliveryStatus;

  constructor(protected readonly options: EndpointAdminOptions) {
    const { sql, schema } = options;
    this.endpoints = new Endpoints(schema);
    this.delivered = new DeliveryStatus(sql, schema);
  }

  /** Oldest first. */
  async list(sourceId: string): Promise<EndpointView[]> {
    await this.options.sources?.require(sourceId);
    const endpoints = await this.endpoints.list(this.options.sql, [sourceId]);
    return endpoints.filter(isShown).map((endpoint) => this.view(endpoint));
  }

  async get(sourceId: string, id: string): Promise<EndpointView> {
    return this.view(await this.find(sourceId, id));
  }

  /**
   * Adds an endpoint that receives the events from now on.
   *
   * @throws DomainError `failed_precondition` if there are ten already
   */
  async create(
    sourceId: string,
    json: NewWebhookEndpoint,
    call: CallContext = LIBRARY_CALL,
  ): Promise<EndpointSecretView> {
    await this.options.sources?.require(sourceId);
    const { types, outbound, input, secrets } = this.options;
    const body = InputReader.of(json, input);
    const { headers, ...settings } = readEndpoint(body, { types, outbound });
    const secret = readWebhookSecret(body) ?? generateWebhookSecret();
    body.throwIfInvalid();
    const id = uuidv7();
    const details = { fields: sentNames(json) };
    return this.whileLocked(sourceId, async (sql, isActive) => {
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
      await this.audit(sql, { sourceId, id, verb: 'created', details }, call);
      return { ...this.view(await this.find(sourceId, id, sql)), secret };
    });
  }

  /** Changes the members that are sent; null resets a nullable one. A new URL ends a pause that failures caused. */
  async update(
    sourceId: string,
    id: string,
    json: EndpointChanges,
    call: CallContext = LIBRARY_CALL,
  ): Promise<EndpointView> {
    await this.find(sourceId, id);
    const { types, outbound, input } = this.options;
    const body = InputReader.of(json, input);
    const { fields, changes } = readEndpointChanges(body, { types, outbound });
    body.throwIfInvalid();
    const { headers, ...given } = changes;
    const action: Action = { sourceId, id, verb: 'updated', details: { fields } };
    const updated = await this.change(action, call, async (sql, endpoint) => {
      const settings: EndpointSettings = { ...endpoint, ...given };
      if (headers !== undefined) settings.headersSealed = this.sealedHeaders(id, headers);
      await this.endpoints.update(sql, endpoint, settings);
      const hasMoved = settings.url !== endpoint.url;
      if (hasMoved && endpoint.state !== 'healthy' && !isPausedByHand(endpoint)) {
        await this.endpoints.resume(sql, endpoint);
      }
    });
    this.options.wake(sourceId);
    return updated;
  }

  async delete(sourceId: string, id: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    await this.whileLocked(sourceId, async (sql) => {
      await this.endpoints.delete(sql, await this.find(sourceId, id, sql));
      await this.audit(sql, { sourceId, id, verb: 'deleted' }, call);
    });
    return null;
  }

  /** Replaces the secret. Both sign for the overlap. */
  async rotateSecret(
    sourceId: string,
    id: string,
    json: EndpointRotation = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<EndpointSecretView> {
    await this.find(sourceId, id);
    const body = InputReader.of(json, this.options.input);
    const secret = readWebhookSecret(body) ?? generateWebhookSecret();
    const seconds = readOverlap(body, 'overlap');
    body.throwIfInvalid();
    const sealed = this.options.secrets.seal(id, 'secret', secret);
    const details = { overlap: `${seconds}s` };
    const action: Action = { sourceId, id, verb: 'secret_rotated', details };
    const endpoint = await this.change(action, call, (sql, current) =>
      this.endpoints.rotateSecret(sql, current, sealed, seconds),
    );
    return { ...endpoint, secret };
  }

  /** Stops deliveries until `resume`; events wait. */
  pause(sourceId: string, id: string, call: CallContext = LIBRARY_CALL): Promise<EndpointView> {
    return this.change({ sourceId, id, verb: 'paused' }, call, (sql, endpoint) =>
      this.endpoints.pause(sql, endpoint, PAUSED_BY_HAND),
    );
  }

  /** Continues with the event after the last one delivered. */
  async resume(
    sourceId: string,
    id: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<EndpointView> {
    const resumed = await this.change({ sourceId, id, verb: 'resumed' }, call, (sql, paused) =>
      this.endpoints.resume(sql, paused),
    );
    this.options.wake(sourceId);
    return resumed;
  }

  /** Sends a signed `webhook.ping`. Its success ends a failure or a pause. */
  async test(sourceId: string, id: string, call: CallContext = LIBRARY_CALL): Promise<TestView> {
    const endpoint = await this.find(sourceId, id);
    await this.audit(this.options.sql, { sourceId, id, verb: 'tested' }, call);
    const answer = testView(await this.options.sender.ping(endpoint));
    const isHeldUp = endpoint.state === 'failing' || endpoint.state === 'paused';
    if (answer.delivered && isHeldUp) await this.resume(sourceId, id, call);
    return answer;
  }

  /** The events that wait for the endpoint, and those that it has parked. */
  async status(sourceId: string, id: string): Promise<CountsView> {
    await this.find(sourceId, id);
    return countsView(await this.delivered.countsOf(sourceId, id));
  }

  /** Attempts to deliver to the endpoint, newest first. */
  async attempts(sourceId: string, id: string, query: PageQuery = {}): Promise<AttemptList> {
    const endpoint = await this.find(sourceId, id);
    const { rows, nextPageToken } = await this.options.pages.page(
      `delivery-attempts:${id}`,
      pageRequestOf(this.options, query),
      {
        fetch: (last, limit) => this.delivered.attemptsTo(endpoint, last?.[0], limit),
        positionOf: (attempt) => [attempt.id],
      },
    );
    return { attempts: rows.map(attemptView), next_page_token: nextPageToken };
  }

  /** Parked events of the endpoint, newest first. */
  async parked(sourceId: string, id: string, query: PageQuery = {}): Promise<ParkedEventList> {
    const endpoint = await this.find(sourceId, id);
    const { rows, nextPageToken } = await this.options.pages.page(
      `parked-events:${id}`,
      pageRequestOf(this.options, query),
      {
        fetch: (last, limit) => this.delivered.parkedOf(endpoint, { before: last?.[0], limit }),
        positionOf: ({ sequence }) => [sequence],
      },
    );
    return { parked_events: rows.map(parkedEventView), next_page_token: nextPageToken };
  }

  private async find(
    sourceId: string,
    id: string,
    sql: SqlExecutor = this.options.sql,
  ): Promise<Endpoint> {
    const mayExist = isUuid(sourceId) && isUuid(id);
    const endpoint = mayExist ? await this.endpoints.find(sql, { id, sourceId }) : undefined;
    if (endpoint && isShown(endpoint)) return endpoint;
    throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_NOT_FOUND);
  }

  private change(
    action: Action,
    call: CallContext,
    work: (sql: SqlExecutor, endpoint: Endpoint) => Promise<void>,
  ): Promise<EndpointView> {
    const { sourceId, id } = action;
    return this.whileLocked(sourceId, async (sql) => {
      await work(sql, await this.find(sourceId, id, sql));
      await this.audit(sql, action, call);
      return this.view(await this.find(sourceId, id, sql));
    });
  }

  private whileLocked<T>(
    sourceId: string,
    work: (sql: SqlExecutor, isActive: boolean) => Promise<T>,
  ): Promise<T> {
    const { sql, schema, sources } = this.options;
    return sql.transaction(async (executor) => {
      if (sources) return work(executor, (await sources.lock(executor, sourceId)).isActive);
      const text = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
      await executor.rows({ text }, [`${schema}.endpoints:${sourceId}`]);
      return work(executor, true);
    });
  }

  private audit(
    sql: SqlExecutor,
    { sourceId, id, verb, details }: Action,
    call: CallContext,
  ): Promise<void> {
    const change = {
      type: `webhook_endpoint.${verb}`,
      sourceId,
      targetId: id,
      details: { endpoint_id: id, ...details },
    };
    return auditChange(this.options, sql, change, call);
  }

  protected view(endpoint: Endpoint): EndpointView {
    return endpointView(endpoint, this.headerNames(endpoint));
  }

  /** None if ENCRYPTION_KEYS does not open the headers. */
  private headerNames({ id, headersSealed }: Endpoint): string[] {
    if (headersSealed === null) return [];
    try {
      const headers = this.options.secrets.open(id, 'headers', headersSealed);
      return Object.keys(JSON.parse(headers) as object);
    } catch {
      return [];
    }
  }

  private sealedHeaders(id: string, headers: EndpointInput['headers']): string | null {
    return headers && this.options.secrets.seal(id, 'headers', JSON.stringify(headers));
  }
}

/** The webhook of a directory without an address is no endpoint. */
function isShown({ url }: Endpoint): boolean {
  return url !== '';
}

/** A pause by the schedule has a next attempt, the hourly probe. */
function isPausedByHand({ state, nextAttemptAt }: Endpoint): boolean {
  return state === 'paused' && nextAttemptAt === null;
}

function sentNames(json: object): string[] {
  return Object.entries(json).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
