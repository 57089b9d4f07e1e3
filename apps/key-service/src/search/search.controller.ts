import { hasIssuedSecretShape } from '@gatehouse/crypto';
import { invalidField } from '@gatehouse/kit/input';
import { Describe, optionalParameters, parameter } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { type KeyOperation } from '../api/openapi/operation.js';
import { RequestInput } from '../api/input.js';
import { SearchService, type SearchView } from './search.service.js';

const HITS_DEFAULT = 5;
const HITS_MAX = 20;

@Controller('v2alpha1/admin/search')
export class SearchController {
  constructor(
    private readonly input: RequestInput,
    private readonly searches: SearchService,
  ) {}

  @Get()
  @Describe<KeyOperation>({
    id: 'adminSearch',
    summary: 'Search keys, trust rules, actors, webhook endpoints, portal sessions and events',
    description:
      'An id finds its record. A part of a secret, such as "…k3Zq", finds issued keys. Any other text finds keys ' +
      'whose secrets end with it, if it has four characters, and ' +
      'names, actor ids and addresses of endpoints that begin with it, in any case. There is no next page: ' +
      'make the query longer.',
    tag: 'Keys',
    parameters: [
      parameter(
        'query',
        'query',
        { minLength: 1, maxLength: 255, example: 'customer-17' },
        { required: true },
      ),
      ...optionalParameters('query', {
        page_size: {
          type: 'integer',
          description: `Hits of each kind: default ${HITS_DEFAULT}, at most ${HITS_MAX}.`,
        },
      }),
    ],
    answer: { status: 200, schema: 'SearchResponse', description: 'The hits, kind by kind.' },
    errors: [400],
  })
  search(@Query() query: object): Promise<SearchView> {
    const reader = this.input.query(query);
    const text = reader.requiredText('query').trim();
    const size = reader.integer('page_size', { min: -Infinity, max: Infinity }) ?? 0;
    reader.throwIfInvalid();
    if (text === '') throw invalidField('query', 'is required');
    // The error does not repeat the secret.
    if (hasIssuedSecretShape(text)) {
      throw invalidField('query', 'must not be a whole secret; its preview is enough');
    }
    return this.searches.search(text, size <= 0 ? HITS_DEFAULT : Math.min(size, HITS_MAX));
  }
}
