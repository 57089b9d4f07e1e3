import { InputReader, readPageRequest } from '@gatehouse/service-kit';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendWithEtag } from '../http/etag.js';
import {
  PutSchemaRequest,
  readRegistration,
  readSchemaBody,
  readVersion,
  RegisterSchemaRequest,
  SchemaListResponse,
  schemaResponse,
  SchemaResponse,
} from './schema.dto.js';
import { SchemasService } from './schemas.service.js';

/** A page contains whole schemas, which may be large. */
const PAGE_SIZE_MAX = 100;

type Query = Readonly<Record<string, unknown>>;

@ApiTags('schemas')
@ApiBearerAuth()
@Controller('v1/schemas')
export class SchemasController {
  constructor(private readonly schemas: SchemasService) {}

  @Post()
  @ApiOperation({ operationId: 'registerSchema', summary: 'Register a schema' })
  @ApiBody({ type: RegisterSchemaRequest })
  @ApiCreatedResponse({ type: SchemaResponse })
  async register(
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SchemaResponse> {
    const stored = await this.schemas.register(readRegistration(body));
    reply.header('location', `/v1/schemas/${stored.id}`);
    return schemaResponse(stored);
  }

  @Put(':id')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'putSchema',
    summary: 'Add a version; the same content keeps its version',
  })
  @ApiBody({ type: PutSchemaRequest })
  @ApiOkResponse({ type: SchemaResponse })
  async put(@Param('id') id: string, @Body() body: unknown): Promise<SchemaResponse> {
    const { schema, isPublic } = readSchemaBody(body);
    return schemaResponse(await this.schemas.put({ id, schema, isPublic }));
  }

  @Get()
  @ApiOperation({
    operationId: 'listSchemas',
    summary: 'List the current versions, by id, with an ETag',
  })
  @ApiQuery({ name: 'page_size', required: false, schema: { type: 'integer' } })
  @ApiQuery({ name: 'page_token', required: false })
  @ApiOkResponse({ type: SchemaListResponse })
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
  @ApiOperation({ operationId: 'getSchema', summary: 'Get one version, with an ETag' })
  @ApiQuery({ name: 'version', required: false, schema: { type: 'integer' } })
  @ApiOkResponse({ type: SchemaResponse })
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
