import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { RecordsModule } from '../records/records.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { LeaksService } from './leaks.service.js';

@Module({
  imports: [KeysModule, RecordsModule, VerificationModule],
  providers: [LeaksService],
  exports: [LeaksService],
})
export class LeaksModule {}
