import { type LogPosition, plainEventBody } from '@gatehouse/delivery';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { type KeyRing } from '@gatehouse/crypto';
import { LOGGED_KEY_EVENTS } from '@gatehouse/schemas';
import { Describe, type InputReader, PageTokens, readPageRequest } from '@gatehouse/service-kit';
import { HMAC_RING } from '../key-rings.js';
import { type KeyOperation, EVENT_QUERY } from '../openapi/operation.js';
import { firstViolation, invalidField, RequestInput } from '../wire/input.js';
import { isUuid } from '../wire/uuid.js';
import { KeyEventLog } from './key-event-log.js';

@Controller('v2alpha1/admin/keyEvents')
export class KeyEventsController {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly input: RequestInput,
    private readonly log: KeyEventLog,
  ) {
    this.pageTokens = PageTokens.fromRing(ring, firstViolation);
  }

  @Get()
  @Describe<KeyOperation>({
    id: 'adminListKeyEvents',
    summary: 'List the events of keys, the oldest first',
    description:
      'A reader that continues with `after` and the id of the last event that it read misses no event.',
    tag: 'Events',
    parameters: EVENT_QUERY,
    answer: { status: 200, schema: 'ListKeyEventsResponse', description: 'A page of events.' },
    errors: [400],
  })
  async list(@Query() query: object): Promise<{ key_events: object[]; next_page_token: string }> {
    const reader = this.input.query(query);
    const page = readPageRequest(reader);
    const { after, type } = readFilter(reader);
    const start = after === '' ? undefined : await this.positionOf(after);
    const scope = JSON.stringify(['key-events', after, type]);
    const { rows, nextPageToken } = await this.pageTokens.page(scope, page, {
      fetch: (position, limit) =>
        this.log.page(position ? logPositionOf(position) : start, limit, type),
      positionOf: ({ sequence, createdAt }) => [sequence, createdAt.toISOString()],
    });
    return { key_events: rows.map(plainEventBody), next_page_token: nextPageToken };
  }

  private async positionOf(eventId: string): Promise<LogPosition> {
    const event = isUuid(eventId) ? await this.log.find(eventId) : undefined;
    if (event) return event;
    throw invalidField('after', 'must be the id of an event in the log');
  }
}

function readFilter(reader: InputReader) {
  const after = reader.text('after');
  const name = reader.text('type');
  const type = LOGGED_KEY_EVENTS.find((each) => each === name);
  if (name !== '' && type === undefined) {
    reader.addViolation('type', `must be one of ${LOGGED_KEY_EVENTS.join(', ')}`, undefined);
  }
  reader.throwIfInvalid();
  return { after, type };
}

function logPositionOf([sequence = '0', time = '']: readonly string[]): LogPosition {
  return { sequence, createdAt: new Date(time) };
}
