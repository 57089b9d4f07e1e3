import { pickLanguage } from '@gatehouse/form-decoder';
import { InputReader, readPageRequest } from '@gatehouse/service-kit';
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
    const input = InputReader.ofQuery(query);
    const schemaId = input.string('schema_id');
    if (schemaId !== undefined && !isSchemaId(schemaId)) {
      input.addViolation('schema_id', 'is no id of a schema', undefined);
    }
    const pageRequest = readPageRequest(input);
    input.throwIfInvalid();
    const page = await this.identities.list(schemaId, pageRequest);
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
