import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { adminCallerOf } from '@gatehouse/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../config.js';
import { Describe, LIST_QUERY, LOCATION, UPDATE_QUERY } from '../openapi/operation.js';
import { BodyReader } from '../wire/body-reader.js';
import { ClientAddresses } from '../wire/call-context.js';
import type { ListQuery } from '../wire/page-token.js';
import { KeyIdPipe } from './key-id.pipe.js';
import { readImportInput } from './key-input.js';
import { readKeyUpdate } from './key-update.js';
import { importedKeyView, type ImportedKeyView } from './key.view.js';
import { ImportService } from './import.service.js';
import { KeysService } from './keys.service.js';

const PATH = 'v2alpha1/admin/importedApiKeys';

@Controller(PATH)
export class ImportedKeysController {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly addresses: ClientAddresses,
    private readonly importing: ImportService,
    private readonly keys: KeysService,
  ) {}

  @Post()
  @Describe({
    id: 'adminImportApiKey',
    summary: 'Import a key that was made elsewhere',
    tag: 'Keys',
    body: 'ImportApiKeyRequest',
    answer: {
      status: 201,
      schema: 'ImportedApiKey',
      description: 'The key.',
      headers: LOCATION,
    },
    errors: [400, 402, 409],
  })
  async import(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() json: unknown,
  ): Promise<ImportedKeyView> {
    const body = BodyReader.of(json);
    const input = readImportInput(body, this.config.maxTtlSeconds);
    body.finish();
    const key = await this.importing.import(input, this.contextOf(request));
    reply.header('Location', `/${PATH}/${key.keyId}`);
    return importedKeyView(key);
  }

  @Get(':key_id')
  @Describe({
    id: 'adminGetImportedApiKey',
    summary: 'Get an imported key',
    tag: 'Keys',
    answer: { status: 200, schema: 'ImportedApiKey', description: 'The key.' },
    errors: [404],
  })
  async get(@Param('key_id', KeyIdPipe) keyId: string): Promise<ImportedKeyView> {
    return importedKeyView(await this.keys.get('imported', keyId));
  }

  @Get()
  @Describe({
    id: 'adminListImportedApiKeys',
    summary: 'List imported keys, the newest first',
    tag: 'Keys',
    query: LIST_QUERY,
    answer: { status: 200, schema: 'ListImportedApiKeysResponse', description: 'A page of keys.' },
    errors: [400],
  })
  async list(
    @Query() query: ListQuery,
  ): Promise<{ imported_api_keys: ImportedKeyView[]; next_page_token: string }> {
    const { keys, nextPageToken } = await this.keys.list('imported', query);
    return { imported_api_keys: keys.map(importedKeyView), next_page_token: nextPageToken };
  }

  @Patch(':key_id')
  @Describe({
    id: 'adminUpdateImportedApiKey',
    summary: 'Update an imported key',
    tag: 'Keys',
    body: 'UpdateImportedApiKeyRequest',
    query: UPDATE_QUERY,
    answer: { status: 200, schema: 'ImportedApiKey', description: 'The key as it is now.' },
    errors: [400, 404],
  })
  async update(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Query() query: { update_mask?: unknown; updateMask?: unknown },
    @Body() json: unknown,
  ): Promise<ImportedKeyView> {
    const update = readKeyUpdate(json, 'imported_api_key', query.update_mask ?? query.updateMask);
    return importedKeyView(
      await this.keys.update('imported', keyId, update, this.contextOf(request)),
    );
  }

  @Delete(':key_id')
  @HttpCode(204)
  @Describe({
    id: 'adminDeleteImportedApiKey',
    summary: 'Delete an imported key',
    tag: 'Keys',
    answer: { status: 204, description: 'It is gone, and may be imported again.' },
    errors: [404],
  })
  async delete(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
  ): Promise<void> {
    await this.importing.delete(keyId, this.contextOf(request));
  }

  private contextOf(request: FastifyRequest) {
    return this.addresses.callContext(request, adminCallerOf(request));
  }
}
