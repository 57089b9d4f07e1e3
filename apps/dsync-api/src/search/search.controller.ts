import { type DirectorySync, type SearchQuery } from '@gatehouse/directory-sync';
import { Describe, integer, optionalParameters, parameter } from '@gatehouse/nest-kit/openapi';
import { Get, Inject, Query } from '@nestjs/common';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** One search over the records of all directories. */
@ManagementController('search')
export class SearchController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Get()
  @Describe<DsyncOperation>({
    id: 'search',
    summary: 'Search the records of all directories',
    description:
      'A UUID finds the record with this id, and the users and groups that have it at their provider. Any ' +
      'other text finds directories, users, groups and webhook endpoints by the beginning of a name, a tenant, ' +
      'an e-mail address, an id of the provider or a URL, regardless of case. There is no next page: a longer ' +
      'text finds less.',
    tag: 'Directories',
    parameters: [
      parameter(
        'query',
        'query',
        { minLength: 1, maxLength: 255, example: 'ada@example.com' },
        { required: true },
      ),
      ...optionalParameters('query', {
        pageLimit: integer('Hits of each kind: default 5, at most 20.', { minimum: 1 }),
      }),
    ],
    answer: done('SearchResult'),
    errors: [400],
  })
  find(@Query() query: SearchQuery) {
    return this.sync.search.find(query);
  }
}
