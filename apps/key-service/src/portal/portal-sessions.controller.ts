import { ClientAddresses } from '@gatehouse/kit/clients';
import { readPageRequest } from '@gatehouse/kit/paging';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe, optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../config.js';
import { type KeyOperation, PAGE_QUERY } from '../api/openapi/operation.js';
import { type CallContext, callContextOf } from '../api/call-context.js';
import { RequestInput } from '../api/input.js';
import { portalSessionView, type PortalSessionView } from '../store/portal/portal-session.js';
import { readPortalSession } from './portal-session.input.js';
import { PortalSessionsService } from './portal-sessions.service.js';

const PAGE_SIZE_MAX = 100;
const ACTOR_QUERY = optionalParameters('query', { actor_id: text('Only sessions of this actor.') });

@Controller('v2alpha1/admin/portalSessions')
export class PortalSessionsController {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly sessions: PortalSessionsService,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @Describe<KeyOperation>({
    id: 'adminCreatePortalSession',
    summary: 'Let the user of an actor manage its keys on pages',
    tag: 'Portal',
    body: 'CreatePortalSessionRequest',
    answer: {
      status: 201,
      schema: 'CreatePortalSessionResponse',
      description: 'The session, and its address, which opens once.',
    },
    errors: [400, 409],
  })
  async create(
    @Req() request: FastifyRequest,
    @Body() json: unknown,
  ): Promise<{ portal_session: PortalSessionView; url: string }> {
    const input = readPortalSession(this.input.body(json), this.config);
    const { session, url } = await this.sessions.create(input, this.contextOf(request));
    return { portal_session: portalSessionView(session), url };
  }

  @Get()
  @Describe<KeyOperation>({
    id: 'adminListPortalSessions',
    summary: 'List portal sessions, newest first',
    tag: 'Portal',
    parameters: [...PAGE_QUERY, ...ACTOR_QUERY],
    answer: { status: 200, schema: 'ListPortalSessionsResponse', description: 'A page.' },
    errors: [400],
  })
  async list(@Query() parameters: object) {
    const query = this.input.query(parameters);
    const page = readPageRequest(query, { max: PAGE_SIZE_MAX });
    const actorId = query.text('actor_id');
    query.throwIfInvalid();
    const { rows, nextPageToken } = await this.sessions.list(actorId, page);
    return { portal_sessions: rows.map(portalSessionView), next_page_token: nextPageToken };
  }

  @Get(':session_id(^[^:/]+)')
  @Describe<KeyOperation>({
    id: 'adminGetPortalSession',
    summary: 'Get a portal session',
    tag: 'Portal',
    answer: { status: 200, schema: 'PortalSession', description: 'The session.' },
    errors: [404],
  })
  async get(@Param('session_id') id: string): Promise<PortalSessionView> {
    return portalSessionView(await this.sessions.get(id));
  }

  @Post(':session_id(^[^:/]+)::revoke')
  @HttpCode(200)
  @Describe<KeyOperation>({
    id: 'adminRevokePortalSession',
    summary: 'End a portal session at once',
    tag: 'Portal',
    answer: { status: 200, schema: 'PortalSession', description: 'The session.' },
    errors: [404],
  })
  async revoke(
    @Req() request: FastifyRequest,
    @Param('session_id') id: string,
  ): Promise<PortalSessionView> {
    return portalSessionView(await this.sessions.revoke(id, this.contextOf(request)));
  }

  private contextOf(request: FastifyRequest): CallContext {
    return callContextOf(this.addresses, request, adminCallerOf(request));
  }
}
