import { Module } from '@nestjs/common';
import { PageTokenKeysRepository } from './page-token-keys.repository.js';
import { PageTokens } from './page-tokens.js';

@Module({ providers: [PageTokenKeysRepository, PageTokens], exports: [PageTokens] })
export class PagingModule {}
