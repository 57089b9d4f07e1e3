import { type LogPosition, plainEventBody } from '@gatehouse/delivery';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import {
  Describe,
  InputReader,
  invalidField,
  optionalParameters,
  PageTokens,
  readPageRequest,
  text,
} from '@gatehouse/service-kit';
import { Controller, Get, Query } from '@nestjs/common';
import { STRICT } from '../http/json-body.js';
import { isUuid } from '../http/uuid.js';
import { type FormsOperation, PAGE_QUERY } from '../openapi/operation.js';
import { IdentityEventLog } from './identity-event-log.js';

export interface EventListResponse {
  events: object[];
  next_page_token: string;
}

@Controller('v1/events')
export class IdentityEventsController {
  constructor(
    private readonly pageTokens: PageTokens,
    private readonly log: IdentityEventLog,
  ) {}

  @Get()
  @Describe<FormsOperation>({
    id: 'listEvents',
    summary: 'List the events of identities, oldest first',
    description:
      'A reader that continues with `after` and the id of the last event that it read misses no event.',
    tag: 'Events',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', {
        after: text('The id of the last event that was read.'),
        type: text('Only events of this type, such as identity.created.'),
      }),
    ],
    answer: { status: 200, schema: 'EventListResponse' },
    errors: [400, 401, 403],
  })
  async list(@Query() query: object): Promise<EventListResponse> {
    const input = InputReader.ofQuery(query, STRICT);
    const request = readPageRequest(input);
    const after = input.text('after');
    const type = input.oneOf('type', LOGGED_IDENTITY_EVENTS);
    input.throwIfInvalid();
    const start = after === '' ? undefined : await this.positionOf(after);
    const scope = `events:${JSON.stringify([after, type])}`;
    const { rows, nextPageToken } = await this.pageTokens.page(scope, request, {
      fetch: (position, limit) =>
        this.log.page(position ? logPositionOf(position) : start, limit, type),
      positionOf: ({ sequence, createdAt }) => [sequence, createdAt.toISOString()],
    });
    return { events: rows.map(plainEventBody), next_page_token: nextPageToken };
  }

  private async positionOf(eventId: string): Promise<LogPosition> {
    const event = isUuid(eventId) ? await this.log.find(eventId) : undefined;
    if (event) return event;
    throw invalidField('after', 'must be the id of an event in the log');
  }
}

function logPositionOf([sequence = '0', time = '']: readonly string[]): LogPosition {
  return { sequence, createdAt: new Date(time) };
}
