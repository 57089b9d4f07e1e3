import { type AdminEvent, AuditEvents } from '@gatehouse/kit/audit';
import { InputReader } from '@gatehouse/kit/input';
import { PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { Describe, optionalParameters } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { type FormsOperation, PAGE_QUERY } from '../openapi/operation.js';

const FILTERS = ['type', 'caller', 'target_id'] as const;
const FILTER_CHARACTERS_MAX = 512;

export interface AuditEventListResponse {
  audit_events: AdminEvent[];
  next_page_token: string;
}

/** The audit trail of administrators. */
@Controller('v1/audit-events')
export class AuditEventsController {
  constructor(
    @Inject(AuditEvents) private readonly events: AuditEvents<AdminEvent>,
    private readonly pageTokens: PageTokens,
  ) {}

  @Get()
  @Describe<FormsOperation>({
    id: 'listAuditEvents',
    summary: 'List changes by administrators and refused calls, newest first',
    tag: 'Audit',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', { type: {}, caller: {}, target_id: {} }),
    ],
    answer: { status: 200, schema: 'AuditEventListResponse' },
    errors: [400],
  })
  async list(@Query() query: object): Promise<AuditEventListResponse> {
    const input = InputReader.ofQuery(query);
    const filters = FILTERS.map(
      (name) => [name, input.text(name, { max: FILTER_CHARACTERS_MAX }) || undefined] as const,
    );
    const request = readPageRequest(input);
    input.throwIfInvalid();
    const equal = Object.fromEntries(filters);
    const page = await this.pageTokens.page(`audit-events:${JSON.stringify(filters)}`, request, {
      fetch: (after, limit) => this.events.list({ equal, after: after?.[0], limit }),
      positionOf: ({ event_id }) => [event_id],
    });
    return { audit_events: page.rows, next_page_token: page.nextPageToken };
  }
}
