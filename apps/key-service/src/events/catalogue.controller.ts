import { eventCatalogue, LOGGED_KEY_EVENT_SCHEMAS } from '@gatehouse/schemas';
import { Describe } from '@gatehouse/service-kit';
import { Controller, Get, Header } from '@nestjs/common';
import { type KeyOperation } from '../openapi/operation.js';

const CATALOGUE = eventCatalogue('Webhooks of the Gatehouse key service', LOGGED_KEY_EVENT_SCHEMAS);

@Controller('events')
export class CatalogueController {
  @Get('catalogue.json')
  @Header('Cache-Control', 'public, max-age=300')
  @Describe<KeyOperation>({
    id: 'getEventCatalogue',
    summary: 'The JSON Schema of every webhook',
    tag: 'Events',
    answer: { status: 200, schema: 'EventCatalogue', description: 'One definition for each type.' },
    errors: [],
    isPublic: true,
  })
  get(): object {
    return CATALOGUE;
  }
}
