import { Module } from '@nestjs/common';
import { KeysModule } from '../keys.module.js';
import { RecordsModule } from '../../store/keys/records.module.js';
import { VerificationModule } from '../../verification/verification.module.js';
import { LeaksService } from './leaks.service.js';

@Module({
  imports: [KeysModule, RecordsModule, VerificationModule],
  providers: [LeaksService],
  exports: [LeaksService],
})
export class LeaksModule {}
