import { Body, Controller, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type InputReader } from '@gatehouse/kit/input';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../../config.js';
import { type KeyOperation, LOCATION } from '../../api/openapi/operation.js';
import { KEY_VISIBILITIES } from '@gatehouse/schemas';
import {
  readAllowedCidrs,
  readDuration,
  readExpiringThresholds,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
  readTags,
} from '../../api/fields/key-fields.js';
import { RequestInput } from '../../api/input.js';
import { readRateLimits } from '../../api/fields/limit-fields.js';
import { IssueService } from './issue.service.js';
import { KeyIdPipe } from '../key-id.pipe.js';
import { readIssueInput, readPrefix } from '../key-input.js';
import { keyRecordsController } from '../key-records.controller.js';
import { issuedKeyView, type IssuedKeyView } from '../key.view.js';
import { KeysService } from '../keys.service.js';
import { NeedsScope } from '../needs-scope.js';
import { RotateService, type RotationOverrides } from './rotate.service.js';

const PATH = 'v2alpha1/admin/issuedApiKeys';
const NAMES = {
  kind: 'issued',
  schema: 'IssuedApiKey',
  record: 'issued_api_key',
  one: 'an issued key',
  many: 'issued keys',
} as const;

@Controller(PATH)
export class IssuedKeysController extends keyRecordsController(NAMES, issuedKeyView) {
  constructor(
    config: KeyServiceConfig,
    addresses: ClientAddresses,
    input: RequestInput,
    private readonly issuing: IssueService,
    private readonly rotation: RotateService,
    keys: KeysService,
  ) {
    super(addresses, input, keys, config);
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
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
    const body = this.input.body(json);
    const input = readIssueInput(body, this.config.maxTtlSeconds);
    body.throwIfInvalid();
    const { key, secret } = await this.issuing.issue(input, this.contextOf(request));
    reply.header('Location', `/${PATH}/${key.keyId}`);
    return { issued_api_key: issuedKeyView(key), secret };
  }

  @Post(':key_id(^[^:/]+)::rotate')
  @HttpCode(201)
  @Header('Cache-Control', 'no-store')
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
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
    const body = this.input.body(json);
    const overrides = readOverrides(body);
    const graceSeconds = readDuration(body, 'grace_period', this.config.maxTtlSeconds);
    body.throwIfInvalid();
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
}

/** A field that is there overrides, also an empty one; null, absent and unspecified inherit. */
function readOverrides(body: InputReader): RotationOverrides {
  const isGiven = (name: string) => body.raw(name) !== undefined;
  const visibility = body.enumeration('visibility', KEY_VISIBILITIES);
  return {
    ...(isGiven('name') && { name: body.text('name') }),
    ...(isGiven('scopes') && { scopes: readScopes(body) }),
    ...(isGiven('metadata') && { metadata: readMetadata(body) }),
    ...(isGiven('tags') && { tags: readTags(body) }),
    ...(isGiven('prefix') && { prefix: readPrefix(body) }),
    ...(isGiven('rate_limit_policy') && { rateLimitPolicy: readRateLimitPolicy(body) }),
    ...(isGiven('rate_limits') && { rateLimits: readRateLimits(body) }),
    ...(isGiven('ip_restriction') && { allowedCidrs: readAllowedCidrs(body) }),
    ...(isGiven('expiring_thresholds') && { expiringThresholds: readExpiringThresholds(body) }),
    ...(visibility !== 'KEY_VISIBILITY_UNSPECIFIED' && { visibility }),
  };
}
