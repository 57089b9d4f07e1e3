import { asyncApiDocument, catalogSchema, type EventCatalog } from '@gatehouse/schemas';
import { VERSION } from '@gatehouse/nest-kit/http';
import { Describe, mapOf, type Operation } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Header, Inject } from '@nestjs/common';

/** Injection token of the EventCatalog of the service. */
export const EVENT_CATALOG = Symbol('EVENT_CATALOG');

/** Within the tag `Events` of the service. */
const OPERATION = { tag: 'Events', errors: [], isPublic: true } as const;
const CACHE_CONTROL = 'public, max-age=300';

/** The webhook description for programs. It requires no credential. */
@Controller('events')
export class EventCatalogController {
  private readonly schema: object;
  private readonly asyncApi: object;

  constructor(@Inject(EVENT_CATALOG) catalog: EventCatalog) {
    this.schema = catalogSchema(catalog);
    this.asyncApi = asyncApiDocument(catalog, VERSION);
  }

  @Get('catalogue.json')
  @Header('Cache-Control', CACHE_CONTROL)
  @Describe<Operation>({
    ...OPERATION,
    id: 'getEventCatalogue',
    summary: 'The JSON Schema of every webhook',
    answer: {
      status: 200,
      description: 'A JSON Schema (draft 2020-12) with a definition for each type.',
      schema: mapOf(true),
      example: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Webhooks' },
    },
  })
  getSchema(): object {
    return this.schema;
  }

  @Get('asyncapi.json')
  @Header('Cache-Control', CACHE_CONTROL)
  @Describe<Operation>({
    ...OPERATION,
    id: 'getEventsAsyncApi',
    summary: 'The webhooks as an AsyncAPI document',
    answer: {
      status: 200,
      description: 'An AsyncAPI 3 document.',
      schema: mapOf(true),
      example: { asyncapi: '3.0.0', info: { title: 'Webhooks', version: '0.1.0' } },
    },
  })
  getAsyncApi(): object {
    return this.asyncApi;
  }
}
