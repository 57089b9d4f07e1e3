import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { KeyRing } from '@gatehouse/crypto';
import { HMAC_RING } from '../key-rings.js';
import { Describe, LIST_QUERY } from '../openapi/operation.js';
import { parseListFilter } from '../wire/list-filter.js';
import { type ListQuery, PageTokens, readListQuery } from '../wire/page-token.js';
import type { AuditEvent } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

@Controller('v2alpha1/admin/auditEvents')
export class AuditEventsController {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly repository: AuditRepository,
  ) {
    this.pageTokens = new PageTokens(ring);
  }

  @Get()
  @Describe({
    id: 'adminListAuditEvents',
    summary: 'List audit events, the newest first',
    tag: 'Audit',
    query: LIST_QUERY,
    answer: { status: 200, schema: 'ListAuditEventsResponse', description: 'A page of events.' },
    errors: [400],
  })
  async list(
    @Query() query: ListQuery,
  ): Promise<{ audit_events: AuditEvent[]; next_page_token: string }> {
    const { pageSize, pageToken, filter: text } = readListQuery(query);
    const filter = parseListFilter(text, ['key_id', 'actor_id', 'type']);
    const scope = JSON.stringify(['audit', filter.key_id, filter.actor_id, filter.type]);
    const [after] = this.pageTokens.read(scope, pageToken) ?? [];
    const found = await this.repository.list({
      keyId: filter.key_id,
      actorId: filter.actor_id,
      type: filter.type,
      after,
      limit: pageSize + 1,
    });
    const events = found.slice(0, pageSize);
    const last = events.at(-1);
    return {
      audit_events: events,
      next_page_token:
        found.length > pageSize && last ? this.pageTokens.make(scope, [last.event_id]) : '',
    };
  }
}
