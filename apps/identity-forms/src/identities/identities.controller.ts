import { pickLanguage } from '@gatehouse/form-decoder';
import { Describe, InputReader, optionalParameters, readPageRequest } from '@gatehouse/service-kit';
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
import { type FormsOperation, PAGE_QUERY } from '../openapi/operation.js';
import { isSchemaId } from '../schemas/schema-id.js';
import { IdentitiesService } from './identities.service.js';
import {
  type IdentityListResponse,
  identityResponse,
  type IdentityResponse,
  readPatch,
} from './identity.dto.js';

@Controller('v1/identities')
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  @Get()
  @Describe<FormsOperation>({
    id: 'listIdentities',
    summary: 'List identities, newest first',
    tag: 'identities',
    parameters: [...PAGE_QUERY, ...optionalParameters('query', { schema_id: {} })],
    answer: { status: 200, schema: 'IdentityListResponse' },
    errors: [400, 401, 403],
  })
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
  @Describe<FormsOperation>({
    id: 'getIdentity',
    summary: 'Get an identity',
    tag: 'identities',
    answer: { status: 200, schema: 'IdentityResponse' },
    errors: [401, 403, 404],
  })
  async get(@Param('id') id: string): Promise<IdentityResponse> {
    return identityResponse(await this.identities.get(id));
  }

  @Patch(':id')
  @Describe<FormsOperation>({
    id: 'patchIdentity',
    summary: 'Change traits; the result is validated again',
    tag: 'identities',
    body: 'PatchIdentityRequest',
    answer: { status: 200, schema: 'IdentityResponse' },
    errors: [400, 401, 403, 404, 413, 415, 422],
  })
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
  @Describe<FormsOperation>({
    id: 'deleteIdentity',
    summary: 'Delete an identity and its open flows',
    tag: 'identities',
    answer: { status: 204 },
    errors: [401, 403, 404],
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.identities.delete(id);
  }
}
