import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { KeyRing } from '@gatehouse/crypto';
import { Describe, PageTokens, readPageRequest } from '@gatehouse/service-kit';
import { HMAC_RING } from '../key-rings.js';
import { type KeyOperation, LIST_QUERY } from '../openapi/operation.js';
import { parseListFilter } from '../wire/list-filter.js';
import { firstViolation, RequestInput } from '../wire/input.js';
import type { AuditEvent } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

@Controller('v2alpha1/admin/auditEvents')
export class AuditEventsController {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly input: RequestInput,
    private readonly repository: AuditRepository,
  ) {
    this.pageTokens = PageTokens.fromRing(ring, firstViolation);
  }

  @Get()
  @Describe<KeyOperation>({
    id: 'adminListAuditEvents',
    summary: 'List audit events, the newest first',
    tag: 'Audit',
    parameters: LIST_QUERY,
    answer: { status: 200, schema: 'ListAuditEventsResponse', description: 'A page of events.' },
    errors: [400],
  })
  async list(
    @Query() query: object,
  ): Promise<{ audit_events: AuditEvent[]; next_page_token: string }> {
    const reader = this.input.query(query);
    const page = readPageRequest(reader);
    const filter = parseListFilter(reader.string('filter'), ['key_id=', 'actor_id=', 'type=']);
    reader.throwIfInvalid();
    const { 'key_id=': keyId, 'actor_id=': actorId, 'type=': type } = filter;
    const scope = JSON.stringify(['audit', keyId, actorId, type]);
    const { rows, nextPageToken } = await this.pageTokens.page(scope, page, {
      fetch: ([after] = [], limit) => this.repository.list({ keyId, actorId, type, after, limit }),
      positionOf: ({ event_id }) => [event_id],
    });
    return { audit_events: rows, next_page_token: nextPageToken };
  }
}
