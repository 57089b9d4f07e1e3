import { eventCatalogue, LOGGED_IDENTITY_EVENT_SCHEMAS } from '@gatehouse/schemas';
import { Describe } from '@gatehouse/service-kit';
import { Controller, Get, Header } from '@nestjs/common';
import { type FormsOperation } from '../openapi/operation.js';

const CATALOGUE = eventCatalogue(
  'Webhooks of Gatehouse identity forms',
  LOGGED_IDENTITY_EVENT_SCHEMAS,
);

@Controller('events')
export class CatalogueController {
  @Get('catalogue.json')
  @Header('Cache-Control', 'public, max-age=300')
  @Describe<FormsOperation>({
    id: 'getEventCatalogue',
    summary: 'The JSON Schema of every webhook',
    tag: 'Events',
    answer: { status: 200, schema: 'EventCatalogue' },
    errors: [],
    isPublic: true,
  })
  get(): object {
    return CATALOGUE;
  }
}
