import { type KeyRing } from '@gatehouse/crypto';
import { PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { attemptView, deliveryStatusView, parkedEventView } from '../key-event.view.js';
import { HMAC_RING } from '../../key-rings.js';
import { type KeyOperation, PAGE_QUERY } from '../../api/openapi/operation.js';
import { firstViolation, RequestInput } from '../../api/input.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** What became of the deliveries to one endpoint. */
@Controller('v2alpha1/admin/webhookEndpoints/:endpoint_id')
export class WebhookDeliveriesController {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly input: RequestInput,
    private readonly endpoints: WebhookEndpointsService,
  ) {
    this.pageTokens = PageTokens.fromRing(ring, firstViolation);
  }

  @Get('status')
  @Describe<KeyOperation>({
    id: 'adminGetWebhookEndpointStatus',
    summary: 'Count the events that wait for an endpoint',
    tag: 'Webhooks',
    answer: { status: 200, schema: 'WebhookEndpointStatus', description: 'The counts.' },
    errors: [404],
  })
  async status(@Param('endpoint_id') id: string) {
    return deliveryStatusView(await this.endpoints.counts(id));
  }

  @Get('attempts')
  @Describe<KeyOperation>({
    id: 'adminListDeliveryAttempts',
    summary: 'List the attempts to deliver to an endpoint, the newest first',
    tag: 'Webhooks',
    parameters: PAGE_QUERY,
    answer: {
      status: 200,
      schema: 'ListDeliveryAttemptsResponse',
      description: 'A page of attempts.',
    },
    errors: [400, 404],
  })
  async attempts(@Param('endpoint_id') id: string, @Query() query: object) {
    const { rows, nextPageToken } = await this.pageTokens.page(
      `delivery-attempts:${id}`,
      this.pageOf(query),
      {
        fetch: (position, limit) => this.endpoints.attempts(id, position?.[0], limit),
        positionOf: (attempt) => [attempt.id],
      },
    );
    return { delivery_attempts: rows.map(attemptView), next_page_token: nextPageToken };
  }

  @Get('parkedEvents')
  @Describe<KeyOperation>({
    id: 'adminListParkedKeyEvents',
    summary: 'List the events that an endpoint refused while it took others, the newest first',
    tag: 'Webhooks',
    parameters: PAGE_QUERY,
    answer: { status: 200, schema: 'ListParkedKeyEventsResponse', description: 'A page of them.' },
    errors: [400, 404],
  })
  async parked(@Param('endpoint_id') id: string, @Query() query: object) {
    const { rows, nextPageToken } = await this.pageTokens.page(
      `parked-events:${id}`,
      this.pageOf(query),
      {
        fetch: (position, limit) => this.endpoints.parked(id, position?.[0], limit),
        positionOf: ({ sequence }) => [sequence],
      },
    );
    return { parked_events: rows.map(parkedEventView), next_page_token: nextPageToken };
  }

  private pageOf(query: object) {
    const reader = this.input.query(query);
    const page = readPageRequest(reader);
    reader.throwIfInvalid();
    return page;
  }
}
