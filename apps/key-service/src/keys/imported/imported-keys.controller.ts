import { Body, Controller, Delete, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../../config.js';
import { type KeyOperation, LOCATION } from '../../api/openapi/operation.js';
import { RequestInput } from '../../api/input.js';
import { KeyIdPipe } from '../key-id.pipe.js';
import { readImportInput } from '../key-input.js';
import { keyRecordsController } from '../key-records.controller.js';
import { importedKeyView, type ImportedKeyView } from '../key.view.js';
import { ImportService } from './import.service.js';
import { KeysService } from '../keys.service.js';
import { NeedsScope } from '../needs-scope.js';

const PATH = 'v2alpha1/admin/importedApiKeys';
const NAMES = {
  kind: 'imported',
  schema: 'ImportedApiKey',
  record: 'imported_api_key',
  one: 'an imported key',
  many: 'imported keys',
} as const;

@Controller(PATH)
export class ImportedKeysController extends keyRecordsController(NAMES, importedKeyView) {
  constructor(
    config: KeyServiceConfig,
    addresses: ClientAddresses,
    input: RequestInput,
    private readonly importing: ImportService,
    keys: KeysService,
  ) {
    super(addresses, input, keys, config);
  }

  @Post()
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
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
    const body = this.input.body(json);
    const input = readImportInput(body, this.config);
    body.throwIfInvalid();
    const key = await this.importing.import(input, this.contextOf(request));
    reply.header('Location', `/${PATH}/${key.keyId}`);
    return importedKeyView(key);
  }

  @Delete(':key_id')
  @HttpCode(204)
  @NeedsScope('keys:revoke')
  @Describe<KeyOperation>({
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
}
