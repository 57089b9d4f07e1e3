import { InputReader } from '@gatehouse/kit/input';
import { readPageRequest } from '@gatehouse/kit/paging';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendWithEtag } from '../http/etag.js';
import {
  type FormsOperation,
  ETAG,
  IF_NONE_MATCH,
  LOCATION,
  NOT_MODIFIED,
  PAGE_QUERY,
  VERSION_QUERY,
} from '../openapi/operation.js';
import {
  readRegistration,
  readSchemaBody,
  readVersion,
  type SchemaListResponse,
  schemaResponse,
  writtenSchemaResponse,
  type WrittenSchemaResponse,
} from './schema.dto.js';
import { SchemasService } from './schemas.service.js';

/** A page contains whole schemas, which may be large. */
const PAGE_SIZE_MAX = 100;

type Query = Readonly<Record<string, unknown>>;

@Controller('v1/schemas')
export class SchemasController {
  constructor(
    private readonly schemas: SchemasService,
    private readonly calls: AdminCalls,
  ) {}

  @Post()
  @Describe<FormsOperation>({
    id: 'registerSchema',
    summary: 'Register a schema',
    tag: 'Schemas',
    body: 'SchemaInput',
    answer: { status: 201, schema: 'WrittenSchemaResponse', headers: LOCATION },
    errors: [409, 422],
  })
  async register(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WrittenSchemaResponse> {
    const call = this.calls.of(request);
    const written = await this.schemas.register(readRegistration(body), call);
    reply.header('location', `/v1/schemas/${written.stored.id}`);
    return writtenSchemaResponse(written);
  }

  @Put(':id')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'putSchema',
    summary: 'Add a version; the same content keeps its version',
    tag: 'Schemas',
    body: 'SchemaVersionInput',
    answer: { status: 200, schema: 'WrittenSchemaResponse' },
    errors: [404, 422],
  })
  async put(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<WrittenSchemaResponse> {
    const { schema, isPublic } = readSchemaBody(body);
    const written = await this.schemas.put({ id, schema, isPublic }, this.calls.of(request));
    return writtenSchemaResponse(written);
  }

  @Get()
  @Describe<FormsOperation>({
    id: 'listSchemas',
    summary: 'List the current versions, by id, with an ETag',
    tag: 'Schemas',
    parameters: [...PAGE_QUERY, ...IF_NONE_MATCH],
    answer: { status: 200, schema: 'SchemaListResponse', headers: ETAG },
    otherAnswers: NOT_MODIFIED,
    errors: [400],
  })
  async list(
    @Query() query: Query,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const input = InputReader.ofQuery(query);
    const pageRequest = readPageRequest(input, { max: PAGE_SIZE_MAX });
    input.throwIfInvalid();
    const page = await this.schemas.list(pageRequest);
    const list: SchemaListResponse = {
      schemas: page.rows.map(schemaResponse),
      next_page_token: page.nextPageToken,
    };
    sendWithEtag(request, reply, list);
  }

  @Get(':id')
  @Describe<FormsOperation>({
    id: 'getSchema',
    summary: 'Get one version, with an ETag',
    tag: 'Schemas',
    parameters: [...VERSION_QUERY, ...IF_NONE_MATCH],
    answer: { status: 200, schema: 'SchemaResponse', headers: ETAG },
    otherAnswers: NOT_MODIFIED,
    errors: [400, 404],
  })
  async get(
    @Param('id') id: string,
    @Query() query: Query,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const version = readVersion(query);
    sendWithEtag(request, reply, schemaResponse(await this.schemas.get(id, version)));
  }
}
