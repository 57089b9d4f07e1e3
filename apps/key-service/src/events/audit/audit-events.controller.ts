import { Controller, Get, Inject, Query } from '@nestjs/common';
import { type KeyRing } from '@gatehouse/crypto';
import { AuditEvents } from '@gatehouse/kit/audit';
import { PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { HMAC_RING } from '../../key-rings.js';
import { type KeyOperation, LIST_QUERY } from '../../api/openapi/operation.js';
import { parseListFilter } from '../../api/list-filter.js';
import { RequestInput } from '../../api/input.js';
import { type AuditEvent, type KeyAuditEvents } from './audit-event.js';

const FILTERS = ['key_id', 'actor_id', 'type', 'caller'] as const;

@Controller('v2alpha1/admin/auditEvents')
export class AuditEventsController {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly input: RequestInput,
    @Inject(AuditEvents) private readonly events: KeyAuditEvents,
  ) {
    this.pageTokens = PageTokens.fromRing(ring);
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
    const filter = parseListFilter(
      reader.string('filter'),
      FILTERS.map((column) => `${column}=` as const),
    );
    reader.throwIfInvalid();
    const equal = Object.fromEntries(FILTERS.map((column) => [column, filter[`${column}=`]]));
    const scope = JSON.stringify(['audit', ...Object.values(equal)]);
    const { rows, nextPageToken } = await this.pageTokens.page(scope, page, {
      fetch: ([after] = [], limit) => this.events.list({ equal, after, limit }),
      positionOf: ({ event_id }) => [event_id],
    });
    return { audit_events: rows, next_page_token: nextPageToken };
  }
}
