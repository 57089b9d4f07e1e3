import { PageTokens } from '@gatehouse/kit/paging';
import { Module } from '@nestjs/common';
import { PageTokenKeysRepository } from './page-token-keys.repository.js';

@Module({
  providers: [
    PageTokenKeysRepository,
    {
      provide: PageTokens,
      useFactory: (keys: PageTokenKeysRepository) => new PageTokens(async () => [await keys.get()]),
      inject: [PageTokenKeysRepository],
    },
  ],
  exports: [PageTokens, PageTokenKeysRepository],
})
export class PagingModule {}
