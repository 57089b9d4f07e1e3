import { Module } from '@nestjs/common';
import { CreditSpender } from './credit-spender.js';
import { CreditsRepository } from './credits.repository.js';

@Module({
  providers: [CreditSpender, CreditsRepository],
  exports: [CreditSpender, CreditsRepository],
})
export class CreditsModule {}
