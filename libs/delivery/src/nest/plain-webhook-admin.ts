import { type KeyRing } from '@gatehouse/crypto';
import { DomainError, type ErrorCode } from '@gatehouse/kit/errors';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type AdminOptions } from '../management/admin-options.js';
import { type EndpointAdmin } from '../management/endpoint-admin.js';
import { type EventAdmin } from '../management/event-admin.js';
import { plainEndpointAdmin, plainEventAdmin } from '../management/plain-admin.js';
import { type WebhookAdmin } from './webhook-system.js';

export interface PlainAdminOptions extends Omit<AdminOptions, 'sources'> {
  sourceId: string;
  outbound: OutboundPolicy;
  /** ENCRYPTION_KEYS of the service, or the error of operations on endpoints without them. */
  ring: KeyRing | ErrorCode;
}

/** The administration of a service whose events are delivered as they were logged. */
export class PlainWebhookAdmin implements WebhookAdmin, OnApplicationShutdown {
  readonly events: EventAdmin;
  private readonly endpointAdmin: ReturnType<typeof plainEndpointAdmin> | ErrorCode;

  constructor({ sourceId, outbound, ring, ...options }: PlainAdminOptions) {
    this.events = plainEventAdmin(options, sourceId);
    this.endpointAdmin = 'code' in ring ? ring : plainEndpointAdmin(options, outbound, ring);
  }

  /** @throws DomainError without ENCRYPTION_KEYS */
  get endpoints(): EndpointAdmin {
    if ('code' in this.endpointAdmin) throw new DomainError(this.endpointAdmin);
    return this.endpointAdmin.endpoints;
  }

  async onApplicationShutdown(): Promise<void> {
    if ('close' in this.endpointAdmin) await this.endpointAdmin.close();
  }
}
