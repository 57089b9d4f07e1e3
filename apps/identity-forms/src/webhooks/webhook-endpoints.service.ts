import { KeyRing } from '@gatehouse/crypto';
import {
  type Audit,
  type Endpoint,
  type EndpointAdmin,
  type EndpointInput,
  IDENTITY_EVENTS,
  type NewEndpoint,
  plainEndpointAdmin,
  type SecretRotation,
} from '@gatehouse/delivery';
import { adminEventOf, AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { type JsonObject } from '@gatehouse/kit/input';
import { Sql } from '@gatehouse/kit/sql';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityFormsConfig } from '../config.js';
import { FormsErrors } from '../errors.js';
import { IdentityEventLog } from '../events/identity-event-log.js';

type Verb = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'paused' | 'resumed' | 'tested';

/** The endpoints that receive identity events. Every change is audited in its transaction. */
@Injectable()
export class WebhookEndpointsService implements OnApplicationShutdown {
  /** Undefined without ENCRYPTION_KEYS, which seal the secrets of endpoints. */
  private readonly configured: ReturnType<typeof plainEndpointAdmin> | undefined;

  constructor(
    sql: Sql,
    config: IdentityFormsConfig,
    private readonly audit: AuditEvents,
    log: IdentityEventLog,
  ) {
    const { encryptionKeys, webhookAllowPrivate: allowPrivate, webhookPorts: ports } = config;
    if (encryptionKeys.length === 0) return;
    const ring = KeyRing.fromTexts(encryptionKeys);
    const outbound = { allowPrivate, ports };
    const wake = () => log.wake();
    this.configured = plainEndpointAdmin({ ...IDENTITY_EVENTS, sql, ring, outbound, wake });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.configured?.close();
  }

  headerNames(endpoint: Endpoint): string[] {
    return this.admin.headerNames(endpoint);
  }

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
    return this.admin.create(endpoint, this.audited('created', call));
  }

  update(id: string, changes: Partial<EndpointInput>, call: CallContext) {
    const fields = Object.keys(changes);
    return this.admin.update(id, changes, this.audited('updated', call, { fields }));
  }

  delete(id: string, call: CallContext) {
    return this.admin.delete(id, this.audited('deleted', call));
  }

  rotateSecret(id: string, rotation: SecretRotation, call: CallContext) {
    return this.admin.rotateSecret(id, rotation, this.audited('secret_rotated', call));
  }

  pause(id: string, call: CallContext) {
    return this.admin.pause(id, this.audited('paused', call));
  }

  resume(id: string, call: CallContext) {
    return this.admin.resume(id, this.audited('resumed', call));
  }

  test(id: string, call: CallContext) {
    return this.admin.test(id, this.audited('tested', call));
  }

  private get admin(): EndpointAdmin {
    if (this.configured) return this.configured.admin;
    throw new DomainError(FormsErrors.WEBHOOKS_NOT_CONFIGURED);
  }

  private audited(verb: Verb, call: CallContext, details: JsonObject = {}): Audit {
    const type = `webhook_endpoint.${verb}`;
    return (sql, targetId) =>
      this.audit.insert([adminEventOf({ type, targetId, details }, call)], sql);
  }
}
