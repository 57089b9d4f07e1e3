import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type InputReader } from '@gatehouse/kit/input';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyRequest } from 'fastify';
import { type KeyOperation } from '../../api/openapi/operation.js';
import { callContextOf } from '../../api/call-context.js';
import { readCredential } from '../../api/fields/credential.js';
import { RequestInput } from '../../api/input.js';
import { KeyIdPipe } from '../key-id.pipe.js';
import { NeedsScope } from '../needs-scope.js';
import { KEY_KINDS, type KeyKind, REVOCATION_REASONS } from '../../store/keys/key.types.js';
import { type Revocation, RevokeService } from './revoke.service.js';

const DESCRIPTION_CHARACTERS_MAX = 500;
const WITHDRAWN = 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN';

function revocation(id: string, summary: string): KeyOperation {
  return {
    id,
    summary,
    tag: 'Keys',
    body: 'RevocationInput',
    isBodyOptional: true,
    answer: { status: 204, description: 'The key is revoked.' },
    errors: [400, 404, 409],
  };
}

/** Revocation by an administrator: of any key, or of one kind only. */
@Controller('v2alpha1/admin')
export class RevocationController {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: RevokeService,
  ) {}

  @Post('apiKeys/:key_id(^[^:/]+)::revoke')
  @HttpCode(204)
  @NeedsScope('keys:revoke')
  @Describe(revocation('adminRevokeApiKey', 'Revoke any key'))
  revokeAny(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ) {
    return this.revoke(request, keyId, KEY_KINDS, json);
  }

  @Post('issuedApiKeys/:key_id(^[^:/]+)::revoke')
  @HttpCode(204)
  @NeedsScope('keys:revoke')
  @Describe(revocation('adminRevokeIssuedApiKey', 'Revoke an issued key'))
  revokeIssued(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ) {
    return this.revoke(request, keyId, ['issued'], json);
  }

  @Post('importedApiKeys/:key_id(^[^:/]+)::revoke')
  @HttpCode(204)
  @NeedsScope('keys:revoke')
  @Describe(revocation('adminRevokeImportedApiKey', 'Revoke an imported key'))
  revokeImported(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ) {
    return this.revoke(request, keyId, ['imported'], json);
  }

  @Post('trustRules/:key_id(^[^:/]+)::revoke')
  @HttpCode(204)
  @NeedsScope('keys:revoke')
  @Describe(revocation('adminRevokeTrustRule', 'Revoke a trust rule'))
  revokeTrustRule(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ) {
    return this.revoke(request, keyId, ['trust'], json);
  }

  private async revoke(
    request: FastifyRequest,
    keyId: string,
    kinds: readonly KeyKind[],
    json: unknown,
  ): Promise<void> {
    const context = callContextOf(this.addresses, request, adminCallerOf(request));
    await this.service.revoke(keyId, kinds, readRevocation(this.input.body(json)), context);
  }
}

/** Revocation by the holder of the secret; the credential in the body is the proof. */
@Controller('v2alpha1')
export class SelfRevocationController {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: RevokeService,
  ) {}

  @Post('apiKeys::selfRevoke')
  @HttpCode(200)
  @Describe<KeyOperation>({
    id: 'revokeApiKey',
    summary: 'Revoke the key whose secret the caller holds',
    tag: 'Keys',
    body: 'SelfRevokeApiKeyRequest',
    answer: { status: 200, schema: 'Empty', description: 'The key is revoked.' },
    errors: [400, 404, 429],
    isPublic: true,
  })
  async selfRevoke(
    @Req() request: FastifyRequest,
    @Body() json: unknown,
  ): Promise<Record<string, never>> {
    const body = this.input.body(json);
    const credential = readCredential(body);
    const reason = body.enumeration('reason', REVOCATION_REASONS);
    if (reason === WITHDRAWN) {
      body.addViolation('reason', 'is for administrators only', undefined);
    }
    body.throwIfInvalid();
    const context = callContextOf(this.addresses, request, 'holder');
    await this.service.revokeByHolder(credential, reason, context);
    return {};
  }
}

function readRevocation(body: InputReader): Revocation {
  const reason = body.enumeration('reason', REVOCATION_REASONS);
  const description = body.text('description', { max: DESCRIPTION_CHARACTERS_MAX });
  if (description !== '' && reason !== WITHDRAWN) {
    body.addViolation('description', `is only allowed with ${WITHDRAWN}`, undefined);
  }
  body.throwIfInvalid();
  return { reason, description };
}
