import {
  type AttemptView,
  attemptView,
  type Audit,
  type CountsView,
  countsView,
  DeliveryErrors,
  type Endpoint,
  EndpointAdmin,
  type EndpointView,
  endpointView,
  type OutboundPolicy,
  type ParkedEventView,
  parkedEventView,
  type Sender,
  type TestView,
  testView,
} from '@gatehouse/delivery';
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField, type JsonObject } from '@gatehouse/kit/input';
import { type Sql } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { endpointSecrets } from '../delivery/directory-system.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { type SyncLogger } from '../sync-logger.js';
import { fieldsOf } from './directory.input.js';
import {
  type EndpointChanges,
  type EndpointRotation,
  type NewWebhookEndpoint,
  readEndpointChanges,
  readNewEndpoint,
  readRotation,
} from './endpoint.input.js';
import { limitOf } from './page.input.js';
import { type Result, resultOf } from './result.js';
import { notFound } from '../sync.errors.js';

/** An endpoint with its secret, which is shown when it is set and never again. */
export type EndpointSecretView = EndpointView & { secret: string };

/** A part of a list, newest first. */
export interface DeliveryPage {
  /** The id of the last attempt, or the sequence of the last parked event, that was read. */
  after?: string | number;
  /** Default 50, at most 1000. */
  limit?: number;
}

export interface WebhookEndpointsContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  secrets: DirectorySecrets;
  sender: Sender;
  policy: OutboundPolicy;
  logger: SyncLogger;
  wakeLane: (directoryId: string) => void;
}

type Verb = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'paused' | 'resumed' | 'tested';

/**
 * The `webhookEndpoints` operations of the controller object: up to ten receivers of the events of a
 * directory, each with a lane of its own. The first is the webhook of the directory and has its id;
 * without a `webhook_url` it is not shown. All resolve to 404 for an unknown directory or endpoint.
 */
export class WebhookEndpoints {
  constructor(private readonly context: WebhookEndpointsContext) {}

  /** Oldest first. */
  list(directoryId: string): Promise<Result<EndpointView[]>> {
    return this.operation(directoryId, async (admin) => {
      const endpoints = (await admin.list()).filter(({ url }) => url !== '');
      return endpoints.map((endpoint) => viewOf(admin, endpoint));
    });
  }

  get(directoryId: string, id: string): Promise<Result<EndpointView>> {
    return this.operation(directoryId, async (admin) => viewOf(admin, await found(admin, id)));
  }

  /** Adds an endpoint that receives the events from now on. 409 if there are ten already. */
  create(
    directoryId: string,
    input: NewWebhookEndpoint,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<EndpointSecretView>> {
    return this.operation(directoryId, async (admin) => {
      const endpoint = readNewEndpoint(input, this.context.policy);
      const details = { fields: fieldsOf(input) };
      const audit = this.audited('created', directoryId, call, details);
      const created = await admin.create(endpoint, audit);
      return { ...viewOf(admin, created.endpoint), secret: created.secret };
    });
  }

  /** Changes the members that are sent; null resets one. The first gets its URL from the directory. */
  update(
    directoryId: string,
    id: string,
    changes: EndpointChanges,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<EndpointView>> {
    return this.operation(directoryId, async (admin) => {
      await found(admin, id);
      const read = readEndpointChanges(changes, this.context.policy);
      if (id === directoryId && read.url !== undefined) {
        throw invalidField('url', 'is the webhook_url of the directory; change it there');
      }
      const details = { fields: fieldsOf(changes) };
      const audit = this.audited('updated', directoryId, call, details);
      return viewOf(admin, await admin.update(id, read, audit));
    });
  }

  /** 400 for the first endpoint. */
  delete(directoryId: string, id: string, call: CallContext = LIBRARY_CALL): Promise<Result<null>> {
    return this.operation(directoryId, async (admin) => {
      if (id === directoryId) {
        throw invalidField('id', 'is the webhook of the directory; empty its webhook_url instead');
      }
      await admin.delete(id, this.audited('deleted', directoryId, call));
      return null;
    });
  }

  /** Replaces the secret. Both sign for the overlap. */
  rotateSecret(
    directoryId: string,
    id: string,
    rotation: EndpointRotation = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<EndpointSecretView>> {
    return this.operation(directoryId, async (admin) => {
      await found(admin, id);
      const audit = this.audited('secret_rotated', directoryId, call);
      const rotated = await admin.rotateSecret(id, readRotation(rotation), audit);
      return { ...viewOf(admin, rotated.endpoint), secret: rotated.secret };
    });
  }

  /** Keeps events as pending until `resume`. */
  pause(
    directoryId: string,
    id: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<EndpointView>> {
    return this.operation(directoryId, async (admin) => {
      await found(admin, id);
      return viewOf(admin, await admin.pause(id, this.audited('paused', directoryId, call)));
    });
  }

  /** Ends a pause: delivery goes on with the oldest pending event. */
  resume(
    directoryId: string,
    id: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<EndpointView>> {
    return this.operation(directoryId, async (admin) => {
      await found(admin, id);
      return viewOf(admin, await admin.resume(id, this.audited('resumed', directoryId, call)));
    });
  }

  /** Sends a signed `webhook.ping`, and resolves to what happened. */
  test(
    directoryId: string,
    id: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<TestView>> {
    return this.operation(directoryId, async (admin) => {
      await found(admin, id);
      return testView(await admin.test(id, this.audited('tested', directoryId, call)));
    });
  }

  /** The events that wait for an endpoint, and those that it refused while it took others. */
  status(directoryId: string, id: string): Promise<Result<CountsView>> {
    return this.operation(directoryId, async (admin) => {
      await found(admin, id);
      return countsView(await admin.counts(id));
    });
  }

  /** Attempts to deliver to an endpoint, newest first. */
  attempts(
    directoryId: string,
    id: string,
    page: DeliveryPage = {},
  ): Promise<Result<AttemptView[]>> {
    return this.operation(directoryId, async (admin) => {
      const { before, limit } = readPage(page);
      await found(admin, id);
      return (await admin.attempts(id, before, limit)).map(attemptView);
    });
  }

  /** Events that an endpoint refused while it took others, newest first. */
  parked(
    directoryId: string,
    id: string,
    page: DeliveryPage = {},
  ): Promise<Result<ParkedEventView[]>> {
    return this.operation(directoryId, async (admin) => {
      const { before, limit } = readPage(page);
      await found(admin, id);
      return (await admin.parked(id, before, limit)).map(parkedEventView);
    });
  }

  private operation<T>(
    directoryId: string,
    work: (admin: EndpointAdmin) => Promise<T>,
  ): Promise<Result<T>> {
    const { sql, directories, secrets, sender, logger, wakeLane } = this.context;
    return resultOf(logger, async () => {
      const isKnown = isUuid(directoryId) && (await directories.access(directoryId));
      if (!isKnown) throw directoryNotFound();
      const admin = new EndpointAdmin({
        sql,
        schema: DSYNC_SCHEMA,
        sourceId: directoryId,
        sender,
        secrets: endpointSecrets(secrets),
        wake: () => wakeLane(directoryId),
        lock: async (executor) => {
          const locked = await directories.lockForEndpoints(executor, directoryId);
          if (!locked) throw directoryNotFound();
          return { isActive: !locked.deactivated };
        },
      });
      return work(admin);
    });
  }

  private audited(
    verb: Verb,
    directoryId: string,
    call: CallContext,
    more: JsonObject = {},
  ): Audit {
    const details = { directory_id: directoryId, ...more };
    const type = `webhook_endpoint.${verb}`;
    return (sql, targetId) =>
      this.context.audit.insert([adminEventOf({ type, targetId, details }, call)], sql);
  }
}

/** The webhook of a directory without an address is no endpoint. */
async function found(admin: EndpointAdmin, id: string): Promise<Endpoint> {
  const endpoint = await admin.get(id);
  if (endpoint.url === '') throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_NOT_FOUND);
  return endpoint;
}

function viewOf(admin: EndpointAdmin, endpoint: Endpoint): EndpointView {
  return endpointView(endpoint, admin.headerNames(endpoint));
}

function readPage(page: DeliveryPage) {
  const input = InputReader.ofQuery(page ?? {});
  const limit = limitOf(input, 'limit');
  const after = input.integer('after');
  input.throwIfInvalid();
  return { before: after === undefined ? undefined : String(after), limit };
}

function directoryNotFound() {
  return notFound('Directory not found.');
}
