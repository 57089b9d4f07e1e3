import { type KeyRing } from '@gatehouse/crypto';
import { type LogPosition, plainEventBody, readReplay, replayDetails } from '@gatehouse/delivery';
import { LOGGED_KEY_EVENTS } from '@gatehouse/schemas';
import { AuditEvents, auditRecordOf } from '@gatehouse/kit/audit';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type InputReader, type JsonObject } from '@gatehouse/kit/input';
import { PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type DeliveryAuditType } from './audit/audit-event.js';
import { HMAC_RING } from '../key-rings.js';
import { type KeyOperation, EVENT_QUERY } from '../api/openapi/operation.js';
import { callContextOf } from '../api/call-context.js';
import { firstViolation, invalidField, RequestInput } from '../api/input.js';
import { keyEventRecordView } from './key-event.view.js';
import { KeyEventLog } from './key-event-log.js';

@Controller('v2alpha1/admin')
export class KeyEventsController {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly input: RequestInput,
    private readonly log: KeyEventLog,
    private readonly addresses: ClientAddresses,
    private readonly audit: AuditEvents,
  ) {
    this.pageTokens = PageTokens.fromRing(ring, firstViolation);
  }

  @Get('keyEvents')
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

  @Get('keyEvents/:event_id')
  @Describe<KeyOperation>({
    id: 'adminGetKeyEvent',
    summary: 'Get an event with its delivery attempts',
    tag: 'Events',
    answer: { status: 200, schema: 'KeyEventRecord', description: 'The event.' },
    errors: [404],
  })
  async get(@Param('event_id') id: string): Promise<object> {
    return keyEventRecordView(await this.log.admin.get(id));
  }

  @Post('keyEvents/:event_id(^[^:/]+)::resend')
  @HttpCode(200)
  @Describe<KeyOperation>({
    id: 'adminResendKeyEvent',
    summary: 'Deliver an event again',
    tag: 'Events',
    body: 'ResendKeyEventRequest',
    isBodyOptional: true,
    answer: { status: 200, schema: 'KeyEventRecord', description: 'The event as it is now.' },
    errors: [400, 404, 409],
  })
  async resend(
    @Req() request: FastifyRequest,
    @Param('event_id') id: string,
    @Body() json: unknown,
  ): Promise<object> {
    const body = this.input.body(json);
    const endpointId = body.text('endpoint_id') || undefined;
    body.throwIfInvalid();
    const details = { event_id: id, ...(endpointId && { endpoint_id: endpointId }) };
    const audit = this.audited('event.resent', details, request);
    return keyEventRecordView(await this.log.admin.resend(id, endpointId, audit));
  }

  @Post('keyEvents::replay')
  @HttpCode(200)
  @Describe<KeyOperation>({
    id: 'adminReplayKeyEvents',
    summary: 'Send a part of the log again, in order, beside new events',
    tag: 'Events',
    body: 'ReplayKeyEventsRequest',
    answer: {
      status: 200,
      schema: 'ReplayKeyEventsResponse',
      description: 'The number of endpoints that receive it.',
    },
    errors: [400, 404],
  })
  async replay(@Req() request: FastifyRequest, @Body() json: unknown) {
    const body = this.input.body(json);
    const replay = readReplay(body, LOGGED_KEY_EVENTS);
    body.throwIfInvalid();
    const start = replay.after === undefined ? undefined : await this.positionOf(replay.after);
    const audit = this.audited('events.replayed', replayDetails(replay), request);
    return { endpoints: await this.log.admin.replay(replay, start?.sequence ?? '0', audit) };
  }

  private async positionOf(eventId: string): Promise<LogPosition> {
    const event = await this.log.admin.find(eventId);
    if (event) return event;
    throw invalidField('after', 'must be the id of an event in the log');
  }

  private audited(type: DeliveryAuditType, details: JsonObject, request: FastifyRequest) {
    const call = callContextOf(this.addresses, request, adminCallerOf(request));
    return (sql: SqlExecutor) => this.audit.insert([auditRecordOf(type, call, details)], sql);
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
