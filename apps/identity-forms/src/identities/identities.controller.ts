import { pickLanguage } from '@gatehouse/form-decoder';
import { invalidField } from '@gatehouse/service-kit';
import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Query,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { queryText } from '../http/json-body.js';
import { pageSizeOf } from '../paging/page-tokens.js';
import { isSchemaId } from '../schemas/schema-id.js';
import { IdentitiesService } from './identities.service.js';
import {
  IdentityListResponse,
  identityResponse,
  IdentityResponse,
  PatchIdentityRequest,
  readPatch,
} from './identity.dto.js';

@ApiTags('identities')
@ApiBearerAuth()
@Controller('v1/identities')
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  @Get()
  @ApiOperation({ operationId: 'listIdentities', summary: 'List identities, newest first' })
  @ApiQuery({ name: 'schema_id', required: false })
  @ApiQuery({ name: 'page_size', required: false, schema: { type: 'integer' } })
  @ApiQuery({ name: 'page_token', required: false })
  @ApiOkResponse({ type: IdentityListResponse })
  async list(@Query() query: Readonly<Record<string, unknown>>): Promise<IdentityListResponse> {
    const page = await this.identities.list({
      schemaId: readSchemaFilter(queryText(query, 'schema_id')),
      pageSize: pageSizeOf(queryText(query, 'page_size')),
      pageToken: queryText(query, 'page_token') ?? '',
    });
    return { identities: page.rows.map(identityResponse), next_page_token: page.nextPageToken };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getIdentity', summary: 'Get an identity' })
  @ApiOkResponse({ type: IdentityResponse })
  async get(@Param('id') id: string): Promise<IdentityResponse> {
    return identityResponse(await this.identities.get(id));
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'patchIdentity',
    summary: 'Change traits; the result is validated again',
  })
  @ApiBody({ type: PatchIdentityRequest })
  @ApiOkResponse({ type: IdentityResponse })
  async patch(
    @Param('id') id: string,
    @Body() body: unknown,
    @Headers('accept-language') languages: string | undefined,
  ): Promise<IdentityResponse> {
    const language = pickLanguage(languages);
    return identityResponse(await this.identities.patch(id, readPatch(body), language));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteIdentity', summary: 'Delete an identity and its open flows' })
  @ApiNoContentResponse()
  delete(@Param('id') id: string): Promise<void> {
    return this.identities.delete(id);
  }
}

function readSchemaFilter(id: string | undefined): string | undefined {
  if (id === undefined || isSchemaId(id)) return id;
  throw invalidField('schema_id', 'is no id of a schema');
}
