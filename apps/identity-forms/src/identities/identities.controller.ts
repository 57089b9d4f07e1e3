import { pickLanguage } from '@gatehouse/pages';
import { adminCallerOf, AdminCalls, mayUse } from '@gatehouse/nest-kit/admin';
import { Describe, parameter, text, optionalParameters } from '@gatehouse/nest-kit/openapi';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type FormsOperation, PAGE_QUERY, LOCATION } from '../openapi/operation.js';
import { IdentitiesService } from './identities.service.js';
import {
  type IdentityListResponse,
  identityResponse,
  type IdentityResponse,
  readIdentityList,
  readNewIdentity,
  readPatch,
} from './identity.dto.js';
import { type Identity } from './identity.types.js';

@Controller('v1/identities')
export class IdentitiesController {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly calls: AdminCalls,
  ) {}

  @Get()
  @Describe<FormsOperation>({
    id: 'listIdentities',
    summary: 'List identities, newest first, or find one by an identifier',
    tag: 'Identities',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', {
        schema_id: {},
        identifier: text('An identifier, compared as on writing: letter case does not count.'),
      }),
      parameter('query', 'trait.<path>', text(), {
        required: false,
        description: 'An identifier in one property, such as `trait.email`, with `schema_id`.',
      }),
    ],
    answer: { status: 200, schema: 'IdentityListResponse' },
    errors: [400, 404],
  })
  @Header('Cache-Control', 'no-store')
  async list(
    @Req() request: FastifyRequest,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<IdentityListResponse> {
    const wanted = readIdentityList(query);
    const page = await this.identities.list(wanted.filter, wanted.page);
    const identities = await Promise.all(page.rows.map((row) => this.visible(request, row)));
    return { identities, next_page_token: page.nextPageToken };
  }

  @Post()
  @Describe<FormsOperation>({
    id: 'createIdentity',
    summary: 'Create or import an identity',
    description: 'Traits that no form may set can be set here.',
    tag: 'Identities',
    body: 'IdentityInput',
    answer: { status: 201, schema: 'IdentityResponse', headers: LOCATION },
    errors: [404, 409, 422],
  })
  async create(
    @Body() body: unknown,
    @Headers('accept-language') languages: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IdentityResponse> {
    const language = pickLanguage(languages);
    const call = this.calls.of(request);
    const identity = await this.identities.create(readNewIdentity(body), language, call);
    reply.header('location', `/v1/identities/${identity.id}`);
    return identityResponse(identity);
  }

  @Get(':id')
  @Describe<FormsOperation>({
    id: 'getIdentity',
    summary: 'Get an identity',
    tag: 'Identities',
    answer: { status: 200, schema: 'IdentityResponse' },
    errors: [400, 404],
  })
  @Header('Cache-Control', 'no-store')
  async get(@Req() request: FastifyRequest, @Param('id') id: string): Promise<IdentityResponse> {
    return this.visible(request, await this.identities.get(id));
  }

  @Patch(':id')
  @Describe<FormsOperation>({
    id: 'patchIdentity',
    summary: 'Change traits; the result is validated again',
    tag: 'Identities',
    body: 'IdentityChanges',
    answer: { status: 200, schema: 'IdentityResponse' },
    errors: [404, 422],
  })
  async patch(
    @Param('id') id: string,
    @Body() body: unknown,
    @Headers('accept-language') languages: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<IdentityResponse> {
    const language = pickLanguage(languages);
    const call = this.calls.of(request);
    return identityResponse(await this.identities.patch(id, readPatch(body), language, call));
  }

  @Delete(':id')
  @HttpCode(204)
  @Describe<FormsOperation>({
    id: 'deleteIdentity',
    summary: 'Delete an identity and its open flows',
    tag: 'Identities',
    answer: { status: 204 },
    errors: [400, 404],
  })
  delete(@Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    return this.identities.delete(id, this.calls.of(request));
  }

  /** The identity as its caller may see it: a reader sees no stored secret. */
  private async visible(request: FastifyRequest, identity: Identity): Promise<IdentityResponse> {
    const maySeeSecrets = mayUse(adminCallerOf(request), 'forms:admin');
    return identityResponse(
      maySeeSecrets ? identity : await this.identities.withoutSecrets(identity),
    );
  }
}
