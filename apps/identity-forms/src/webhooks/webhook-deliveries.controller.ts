import {
  type AttemptView,
  attemptView,
  type CountsView,
  countsView,
  type ParkedEventView,
  parkedEventView,
} from '@gatehouse/delivery';
import { InputReader } from '@gatehouse/kit/input';
import { PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { STRICT } from '../http/json-body.js';
import { type FormsOperation, PAGE_QUERY } from '../openapi/operation.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const GUARDED = [401, 403, 404, 409];

/** What became of the deliveries to one endpoint. */
@Controller('v1/webhook-endpoints/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly pageTokens: PageTokens,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  @Get('status')
  @Describe<FormsOperation>({
    id: 'getWebhookEndpointStatus',
    summary: 'Count the events that wait for an endpoint',
    tag: 'Webhooks',
    answer: { status: 200, schema: 'WebhookEndpointStatusResponse' },
    errors: GUARDED,
  })
  async status(@Param('id') id: string): Promise<CountsView> {
    return countsView(await this.endpoints.counts(id));
  }

  @Get('attempts')
  @Describe<FormsOperation>({
    id: 'listDeliveryAttempts',
    summary: 'List the attempts to deliver to an endpoint, newest first',
    tag: 'Webhooks',
    parameters: PAGE_QUERY,
    answer: { status: 200, schema: 'DeliveryAttemptListResponse' },
    errors: [400, ...GUARDED],
  })
  async attempts(
    @Param('id') id: string,
    @Query() query: object,
  ): Promise<{ attempts: AttemptView[]; next_page_token: string }> {
    const scope = `delivery-attempts:${id}`;
    const { rows, nextPageToken } = await this.pageTokens.page(scope, pageOf(query), {
      fetch: (position, limit) => this.endpoints.attempts(id, position?.[0], limit),
      positionOf: (attempt) => [attempt.id],
    });
    return { attempts: rows.map(attemptView), next_page_token: nextPageToken };
  }

  @Get('parked-events')
  @Describe<FormsOperation>({
    id: 'listParkedEvents',
    summary: 'List the events that an endpoint refused while it took others, newest first',
    tag: 'Webhooks',
    parameters: PAGE_QUERY,
    answer: { status: 200, schema: 'ParkedEventListResponse' },
    errors: [400, ...GUARDED],
  })
  async parked(
    @Param('id') id: string,
    @Query() query: object,
  ): Promise<{ parked_events: ParkedEventView[]; next_page_token: string }> {
    const scope = `parked-events:${id}`;
    const { rows, nextPageToken } = await this.pageTokens.page(scope, pageOf(query), {
      fetch: (position, limit) => this.endpoints.parked(id, position?.[0], limit),
      positionOf: ({ sequence }) => [sequence],
    });
    return { parked_events: rows.map(parkedEventView), next_page_token: nextPageToken };
  }
}

function pageOf(query: object) {
  const input = InputReader.ofQuery(query, STRICT);
  const page = readPageRequest(input);
  input.throwIfInvalid();
  return page;
}
