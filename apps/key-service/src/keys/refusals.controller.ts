import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Param } from '@nestjs/common';
import { type KeyOperation } from '../api/openapi/operation.js';
import { type RefusalView } from '../store/refusals/refusals.repository.js';
import { KeyIdPipe } from './key-id.pipe.js';
import { KeysService } from './keys.service.js';

@Controller('v2alpha1/admin/apiKeys')
export class RefusalsController {
  constructor(private readonly keys: KeysService) {}

  @Get(':key_id/refusals')
  @Describe<KeyOperation>({
    id: 'adminListApiKeyRefusals',
    summary: 'Why verifications refused a key in the last 30 days',
    description: 'The last refusal first, at most 50 of different reasons, limits and networks.',
    tag: 'Verification',
    answer: { status: 200, schema: 'ListRefusalsResponse', description: 'The refusals.' },
    errors: [404],
  })
  async list(@Param('key_id', KeyIdPipe) keyId: string): Promise<{ refusals: RefusalView[] }> {
    return { refusals: await this.keys.refusalsOf(keyId) };
  }
}
