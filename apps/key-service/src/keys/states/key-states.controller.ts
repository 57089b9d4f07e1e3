import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyRequest } from 'fastify';
import { type KeyOperation } from '../../api/openapi/operation.js';
import { type KeyRecord } from '../../store/keys/key.record.js';
import { type CallContext, callContextOf } from '../../api/call-context.js';
import { EraseService } from './erase.service.js';
import { KeyIdPipe } from '../key-id.pipe.js';
import {
  importedKeyView,
  type ImportedKeyView,
  issuedKeyView,
  type IssuedKeyView,
  trustRuleView,
  type TrustRuleView,
} from '../key.view.js';
import { NeedsScope } from '../needs-scope.js';
import { PauseService } from './pause.service.js';
import { UndeleteService } from './undelete.service.js';

/** The key, in the member of its kind. */
type ApiKeyView =
  | { issued_api_key: IssuedKeyView }
  | { imported_api_key: ImportedKeyView }
  | { trust_rule: TrustRuleView };

function change(
  id: string,
  summary: string,
  description: string,
  errors: readonly number[] = [404, 409],
): KeyOperation {
  const answer = {
    status: 200,
    schema: 'ApiKeyResponse',
    description: 'The key as it is now.',
  } as const;
  return { id, summary, description, tag: 'Keys', answer, errors };
}

/** Custom methods (AIP-136) that change the state of a key of any kind. */
@Controller('v2alpha1/admin/apiKeys')
export class KeyStatesController {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly pausing: PauseService,
    private readonly undeleting: UndeleteService,
    private readonly erasing: EraseService,
  ) {}

  @Post(':key_id(^[^:/]+)::pause')
  @HttpCode(200)
  @NeedsScope('keys:revoke')
  @Describe(
    change(
      'adminPauseApiKey',
      'Refuse a key and its tokens until it is resumed',
      'Its lifetime goes on. Pausing a paused key changes nothing.',
    ),
  )
  async pause(@Req() request: FastifyRequest, @Param('key_id', KeyIdPipe) keyId: string) {
    return viewOf(await this.pausing.pause(keyId, this.contextOf(request)));
  }

  @Post(':key_id(^[^:/]+)::resume')
  @HttpCode(200)
  @NeedsScope('keys:issue')
  @Describe(
    change(
      'adminResumeApiKey',
      'Accept a paused key again',
      'Resuming a key that is not paused changes nothing.',
    ),
  )
  async resume(@Req() request: FastifyRequest, @Param('key_id', KeyIdPipe) keyId: string) {
    return viewOf(await this.pausing.resume(keyId, this.contextOf(request)));
  }

  @Post(':key_id(^[^:/]+)::undelete')
  @HttpCode(200)
  @NeedsScope('keys:issue')
  @Describe(
    change(
      'adminUndeleteApiKey',
      'Take a revocation back',
      'Within an hour, unless it was for exposure, by the holder or by a rotation.',
      [402, 404, 409],
    ),
  )
  async undelete(@Req() request: FastifyRequest, @Param('key_id', KeyIdPipe) keyId: string) {
    return viewOf(await this.undeleting.undelete(keyId, this.contextOf(request)));
  }

  @Post(':key_id(^[^:/]+)::erase')
  @HttpCode(200)
  @NeedsScope('keys:revoke')
  @Describe(
    change(
      'adminEraseApiKey',
      'Remove the personal data of a key that is revoked or has expired',
      'From the key at once, and from its events in the background. The key id, the kind, the ' +
        'scopes, the times and the reason of the revocation stay.',
    ),
  )
  async erase(@Req() request: FastifyRequest, @Param('key_id', KeyIdPipe) keyId: string) {
    return viewOf(await this.erasing.erase(keyId, this.contextOf(request)));
  }

  private contextOf(request: FastifyRequest): CallContext {
    return callContextOf(this.addresses, request, adminCallerOf(request));
  }
}

function viewOf(key: KeyRecord): ApiKeyView {
  switch (key.kind) {
    case 'issued':
      return { issued_api_key: issuedKeyView(key) };
    case 'imported':
      return { imported_api_key: importedKeyView(key) };
    case 'trust':
      return { trust_rule: trustRuleView(key) };
  }
}
