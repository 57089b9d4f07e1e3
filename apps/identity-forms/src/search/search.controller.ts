import { Describe, optionalParameters, parameter, text } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Header, Query } from '@nestjs/common';
import { type FormsOperation } from '../openapi/operation.js';
import {
  HITS_DEFAULT,
  HITS_MAX,
  QUERY_CHARACTERS_MAX,
  readSearch,
  type SearchHits,
} from './search.dto.js';
import { SearchService } from './search.service.js';

const QUERY = text(undefined, {
  minLength: 1,
  maxLength: QUERY_CHARACTERS_MAX,
  example: 'ada@example.com',
});

@Controller('v1/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @Describe<FormsOperation>({
    id: 'search',
    summary: 'Search identities, schemas, flows, events and webhook endpoints',
    description:
      'Finds everything by its id, identities by a whole identifier, schemas by the beginning of an id or a ' +
      'title, and webhook endpoints by the beginning of a URL, with or without `https://`. Letter case does ' +
      'not count. There are no pages: a longer text finds less.',
    tag: 'Identities',
    parameters: [
      parameter('query', 'query', QUERY, { required: true }),
      ...optionalParameters('query', {
        page_size: {
          type: 'integer',
          description: `The most hits of each kind. Default ${HITS_DEFAULT}, at most ${HITS_MAX}.`,
        },
      }),
    ],
    answer: { status: 200, schema: 'SearchHits' },
    errors: [400],
  })
  @Header('Cache-Control', 'no-store')
  search(@Query() query: Readonly<Record<string, unknown>>): Promise<SearchHits> {
    const { text, limit } = readSearch(query);
    return this.searches.search(text, limit);
  }
}
