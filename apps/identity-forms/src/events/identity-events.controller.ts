import {
  eventAttemptView,
  type EventRecord,
  type LogPosition,
  plainEventBody,
  readReplay,
  replayDetails,
} from '@gatehouse/delivery';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import { type AdminChange, adminEventOf, AuditEvents } from '@gatehouse/kit/audit';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { bodyReader, STRICT } from '../http/json-body.js';
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
    private readonly calls: AdminCalls,
    private readonly audit: AuditEvents,
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

  @Get(':id')
  @Describe<FormsOperation>({
    id: 'getEvent',
    summary: 'Get an event with its delivery attempts',
    tag: 'Events',
    answer: { status: 200, schema: 'EventRecordResponse' },
    errors: [401, 403, 404],
  })
  async get(@Param('id') id: string): Promise<object> {
    return recordResponse(await this.log.admin.get(id));
  }

  @Post(':id/resend')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'resendEvent',
    summary: 'Deliver an event again',
    tag: 'Events',
    body: 'ResendEventRequest',
    isBodyOptional: true,
    answer: { status: 200, schema: 'EventRecordResponse' },
    errors: [400, 401, 403, 404, 409, 413, 415],
  })
  async resend(
    @Param('id') id: string,
    @Body() json: unknown,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const body = InputReader.of(json, STRICT);
    const endpointId = body.text('endpoint_id') || undefined;
    body.throwIfInvalid();
    const details = { ...(endpointId && { endpoint_id: endpointId }) };
    const audit = this.audited({ type: 'event.resent', targetId: id, details }, request);
    return recordResponse(await this.log.admin.resend(id, endpointId, audit));
  }

  @Post('replay')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'replayEvents',
    summary: 'Send a part of the log again, in order, beside new events',
    tag: 'Events',
    body: 'ReplayEventsRequest',
    answer: { status: 200, schema: 'ReplayEventsResponse' },
    errors: [400, 401, 403, 404, 413, 415],
  })
  async replay(
    @Body() json: unknown,
    @Req() request: FastifyRequest,
  ): Promise<{ endpoints: number }> {
    const body = bodyReader(json, STRICT);
    const replay = readReplay(body, LOGGED_IDENTITY_EVENTS);
    body.throwIfInvalid();
    const start = replay.after === undefined ? undefined : await this.positionOf(replay.after);
    const details = replayDetails(replay);
    const audit = this.audited({ type: 'events.replayed', targetId: '', details }, request);
    return { endpoints: await this.log.admin.replay(replay, start?.sequence ?? '0', audit) };
  }

  private async positionOf(eventId: string): Promise<LogPosition> {
    const event = await this.log.admin.find(eventId);
    if (event) return event;
    throw invalidField('after', 'must be the id of an event in the log');
  }

  private audited(change: AdminChange, request: FastifyRequest) {
    const event = adminEventOf(change, this.calls.of(request));
    return (sql: SqlExecutor) => this.audit.insert([event], sql);
  }
}

function recordResponse({ event, state, attempts }: EventRecord): object {
  return { ...plainEventBody(event), state, attempts: attempts.map(eventAttemptView) };
}

function logPositionOf([sequence = '0', time = '']: readonly string[]): LogPosition {
  return { sequence, createdAt: new Date(time) };
}
