import { Body, Get, Param, Patch, Query, Req } from '@nestjs/common';
import { type ClientAddresses } from '@gatehouse/kit/clients';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyRequest } from 'fastify';
import { type KeyServiceConfig } from '../config.js';
import { type KeyOperation, KEY_LIST_QUERY, UPDATE_QUERY } from '../api/openapi/operation.js';
import { callContextOf, type CallContext } from '../api/call-context.js';
import { KeyIdPipe } from './key-id.pipe.js';
import { readKeyUpdate } from './key-update.js';
import { type KeyKind } from '../store/keys/key.types.js';
import { type RequestInput } from '../api/input.js';
import { type KeyRecord } from '../store/keys/key.record.js';
import { NeedsScope } from './needs-scope.js';
import { type KeysService } from './keys.service.js';

interface KeyNames {
  readonly kind: KeyKind;
  /** The name of the record in operations and schemas, such as `IssuedApiKey`. */
  readonly schema: string;
  /** The same in messages, such as `issued_api_key`. */
  readonly record: string;
  /** For people, such as `an issued key` and `issued keys`. */
  readonly one: string;
  readonly many: string;
}

/**
 * Creates the base class of the controllers of issued and imported keys and of trust rules, with the
 * operations of all kinds: get, list and update.
 */
export function keyRecordsController<View>(
  { kind, schema, record, one, many }: KeyNames,
  view: (key: KeyRecord) => View,
) {
  class KeyRecordsController {
    constructor(
      private readonly addresses: ClientAddresses,
      readonly input: RequestInput,
      private readonly keys: KeysService,
      readonly config: KeyServiceConfig,
    ) {}

    @Get(':key_id')
    @Describe<KeyOperation>({
      id: `adminGet${schema}`,
      summary: `Get ${one}`,
      tag: 'Keys',
      answer: { status: 200, schema, description: 'The key.' },
      errors: [404],
    })
    async get(@Param('key_id', KeyIdPipe) keyId: string): Promise<View> {
      return view(await this.keys.get(kind, keyId));
    }

    @Get()
    @Describe<KeyOperation>({
      id: `adminList${schema}s`,
      summary: `List ${many}, the newest first`,
      tag: 'Keys',
      parameters: KEY_LIST_QUERY,
      answer: { status: 200, schema: `List${schema}sResponse`, description: 'A page of keys.' },
      errors: [400],
    })
    async list(@Query() query: object): Promise<Record<string, View[] | string>> {
      const { rows, nextPageToken } = await this.keys.list(kind, this.input.query(query));
      return { [`${record}s`]: rows.map(view), next_page_token: nextPageToken };
    }

    @Patch(':key_id')
    @NeedsScope('keys:issue')
    @Describe<KeyOperation>({
      id: `adminUpdate${schema}`,
      summary: `Update ${one}`,
      tag: 'Keys',
      body: `Update${schema}Request`,
      parameters: UPDATE_QUERY,
      answer: { status: 200, schema, description: 'The key as it is now.' },
      errors: [400, 404],
    })
    async update(
      @Req() request: FastifyRequest,
      @Param('key_id', KeyIdPipe) keyId: string,
      @Query() query: object,
      @Body() json: unknown,
    ): Promise<View> {
      const mask = this.input.query(query).raw('update_mask');
      const names = { kind, wrapper: record, mask };
      const update = readKeyUpdate(this.input.body(json), names, this.config);
      return view(await this.keys.update(kind, keyId, update, this.contextOf(request)));
    }

    contextOf(request: FastifyRequest): CallContext {
      return callContextOf(this.addresses, request, adminCallerOf(request));
    }
  }
  return KeyRecordsController;
}
