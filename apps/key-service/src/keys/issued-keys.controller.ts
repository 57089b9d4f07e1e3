import {
  Body,
  Controller,
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
import { KEY_VISIBILITIES } from '../wire/enums.js';
import {
  readAllowedCidrs,
  readDuration,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
} from '../wire/key-fields.js';
import type { ListQuery } from '../wire/page-token.js';
import { IssueService } from './issue.service.js';
import { KeyIdPipe } from './key-id.pipe.js';
import { readKeyInput } from './key-input.js';
import { readKeyUpdate } from './key-update.js';
import { issuedKeyView, type IssuedKeyView } from './key.view.js';
import { KeysService } from './keys.service.js';
import { RotateService, type RotationOverrides } from './rotate.service.js';

const PATH = 'v2alpha1/admin/issuedApiKeys';

@Controller(PATH)
export class IssuedKeysController {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly addresses: ClientAddresses,
    private readonly issuing: IssueService,
    private readonly rotation: RotateService,
    private readonly keys: KeysService,
  ) {}

  @Post()
  @Describe({
    id: 'adminIssueApiKey',
    summary: 'Issue a key',
    tag: 'Keys',
    body: 'IssueApiKeyRequest',
    answer: {
      status: 201,
      schema: 'IssueApiKeyResponse',
      description: 'The key and its secret.',
      headers: LOCATION,
    },
    errors: [400, 402, 409],
  })
  async issue(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() json: unknown,
  ): Promise<{ issued_api_key: IssuedKeyView; secret: string }> {
    const body = BodyReader.of(json);
    const input = readKeyInput(body, this.config.maxTtlSeconds);
    body.finish();
    const { key, secret } = await this.issuing.issue(input, this.contextOf(request));
    reply.header('Location', `/${PATH}/${key.keyId}`);
    return { issued_api_key: issuedKeyView(key), secret };
  }

  @Get(':key_id')
  @Describe({
    id: 'adminGetIssuedApiKey',
    summary: 'Get an issued key',
    tag: 'Keys',
    answer: { status: 200, schema: 'IssuedApiKey', description: 'The key.' },
    errors: [404],
  })
  async get(@Param('key_id', KeyIdPipe) keyId: string): Promise<IssuedKeyView> {
    return issuedKeyView(await this.keys.get('issued', keyId));
  }

  @Get()
  @Describe({
    id: 'adminListIssuedApiKeys',
    summary: 'List issued keys, the newest first',
    tag: 'Keys',
    query: LIST_QUERY,
    answer: { status: 200, schema: 'ListIssuedApiKeysResponse', description: 'A page of keys.' },
    errors: [400],
  })
  async list(
    @Query() query: ListQuery,
  ): Promise<{ issued_api_keys: IssuedKeyView[]; next_page_token: string }> {
    const { keys, nextPageToken } = await this.keys.list('issued', query);
    return { issued_api_keys: keys.map(issuedKeyView), next_page_token: nextPageToken };
  }

  @Patch(':key_id')
  @Describe({
    id: 'adminUpdateIssuedApiKey',
    summary: 'Update an issued key',
    tag: 'Keys',
    body: 'UpdateIssuedApiKeyRequest',
    query: UPDATE_QUERY,
    answer: { status: 200, schema: 'IssuedApiKey', description: 'The key as it is now.' },
    errors: [400, 404],
  })
  async update(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Query() query: { update_mask?: unknown; updateMask?: unknown },
    @Body() json: unknown,
  ): Promise<IssuedKeyView> {
    const update = readKeyUpdate(json, 'issued_api_key', query.update_mask ?? query.updateMask);
    return issuedKeyView(await this.keys.update('issued', keyId, update, this.contextOf(request)));
  }

  @Post(':key_id(^[^:/]+)::rotate')
  @HttpCode(201)
  @Describe({
    id: 'adminRotateIssuedApiKey',
    summary: 'Let a new key take over from an issued key',
    tag: 'Keys',
    body: 'RotateIssuedApiKeyRequest',
    isBodyOptional: true,
    answer: {
      status: 201,
      schema: 'RotateIssuedApiKeyResponse',
      description: 'The new key, its secret, and the old key.',
      headers: LOCATION,
    },
    errors: [400, 404, 409],
  })
  async rotate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ): Promise<{ issued_api_key: IssuedKeyView; secret: string; old_issued_api_key: IssuedKeyView }> {
    const body = BodyReader.of(json);
    const overrides = readOverrides(body);
    const graceSeconds = readDuration(body, 'grace_period', this.config.maxTtlSeconds);
    body.finish();
    const context = this.contextOf(request);
    const { key, secret, oldKey } = await this.rotation.rotate(
      keyId,
      overrides,
      graceSeconds,
      context,
    );
    reply.header('Location', `/${PATH}/${key.keyId}`);
    return {
      issued_api_key: issuedKeyView(key),
      secret,
      old_issued_api_key: issuedKeyView(oldKey),
    };
  }

  private contextOf(request: FastifyRequest) {
    return this.addresses.callContext(request, adminCallerOf(request));
  }
}

/** A field that is there overrides, also an empty one; null, absent and unspecified inherit. */
function readOverrides(body: BodyReader): RotationOverrides {
  const isGiven = (name: string) => body.raw(name) !== undefined;
  const visibility = body.enumeration('visibility', KEY_VISIBILITIES);
  return {
    ...(isGiven('name') && { name: body.text('name') }),
    ...(isGiven('scopes') && { scopes: readScopes(body) }),
    ...(isGiven('metadata') && { metadata: readMetadata(body) }),
    ...(isGiven('rate_limit_policy') && { rateLimitPolicy: readRateLimitPolicy(body) }),
    ...(isGiven('ip_restriction') && { allowedCidrs: readAllowedCidrs(body) }),
    ...(visibility !== 'KEY_VISIBILITY_UNSPECIFIED' && { visibility }),
  };
}
