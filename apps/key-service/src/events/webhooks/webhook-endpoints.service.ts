import { type KeyRing } from '@gatehouse/crypto';
import {
  type Audit,
  type EndpointAdmin,
  type EndpointInput,
  KEY_EVENTS,
  type NewEndpoint,
  plainEndpointAdmin,
  type SecretRotation,
} from '@gatehouse/delivery';
import { AuditEvents, auditRecordOf } from '@gatehouse/kit/audit';
import { type JsonObject } from '@gatehouse/kit/input';
import { Sql } from '@gatehouse/kit/sql';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type WebhookAuditType } from '../audit/audit-event.js';
import { KeyServiceConfig } from '../../config.js';
import { KeyEventLog } from '../key-event-log.js';
import { ENCRYPTION_RING } from '../../key-rings.js';
import { type CallContext } from '../../api/call-context.js';

/** The endpoints that receive key events. Every change is audited in its transaction. */
@Injectable()
export class WebhookEndpointsService implements OnApplicationShutdown {
  private readonly admin: EndpointAdmin;
  private readonly close: () => Promise<void>;

  constructor(
    sql: Sql,
    @Inject(ENCRYPTION_RING) ring: KeyRing,
    config: KeyServiceConfig,
    private readonly audit: AuditEvents,
    log: KeyEventLog,
  ) {
    const { webhookAllowPrivate: allowPrivate, webhookPorts: ports } = config;
    const outbound = { allowPrivate, ports };
    const wake = () => log.wake();
    const { admin, close } = plainEndpointAdmin({ ...KEY_EVENTS, sql, ring, outbound, wake });
    this.admin = admin;
    this.close = close;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** The names of the headers of an endpoint. */
  readonly headerNames: EndpointAdmin['headerNames'] = (endpoint) =>
    this.admin.headerNames(endpoint);

  list() {
    return this.admin.list();
  }

  get(id: string) {
    return this.admin.get(id);
  }

  counts(id: string) {
    return this.admin.counts(id);
  }

  attempts(id: string, before: string | undefined, limit: number) {
    return this.admin.attempts(id, before, limit);
  }

  parked(id: string, before: string | undefined, limit: number) {
    return this.admin.parked(id, before, limit);
  }

  create(endpoint: NewEndpoint, call: CallContext) {
    return this.admin.create(endpoint, this.audited('webhook_endpoint.created', call));
  }

  update(id: string, changes: Partial<EndpointInput>, call: CallContext) {
    const fields = Object.keys(changes);
    return this.admin.update(
      id,
      changes,
      this.audited('webhook_endpoint.updated', call, { fields }),
    );
  }

  delete(id: string, call: CallContext) {
    return this.admin.delete(id, this.audited('webhook_endpoint.deleted', call));
  }

  rotateSecret(id: string, rotation: SecretRotation, call: CallContext) {
    const details = { grace_period: `${rotation.overlapSeconds}s` };
    const audit = this.audited('webhook_endpoint.secret_rotated', call, details);
    return this.admin.rotateSecret(id, rotation, audit);
  }

  pause(id: string, call: CallContext) {
    return this.admin.pause(id, this.audited('webhook_endpoint.paused', call));
  }

  resume(id: string, call: CallContext) {
    return this.admin.resume(id, this.audited('webhook_endpoint.resumed', call));
  }

  test(id: string, call: CallContext) {
    return this.admin.test(id, this.audited('webhook_endpoint.tested', call));
  }

  private audited(type: WebhookAuditType, call: CallContext, details: JsonObject = {}): Audit {
    return (sql, endpointId) =>
      this.audit.insert([auditRecordOf(type, call, { endpoint_id: endpointId, ...details })], sql);
  }
}
