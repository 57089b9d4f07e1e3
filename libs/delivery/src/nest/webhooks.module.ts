import { type DynamicModule, Module } from '@nestjs/common';
import { EVENT_CATALOGUE, EventCatalogueController } from './catalogue.controller.js';
import { endpointsController } from './endpoints.controller.js';
import { eventsControllers } from './events.controllers.js';
import { WEBHOOK_ADMIN, type WebhookSystem } from './webhook-system.js';

/** The API of the endpoints and events of a service, and the catalogue of its events. */
@Module({})
export class WebhooksModule {
  static forSystem(system: WebhookSystem): DynamicModule {
    return {
      module: WebhooksModule,
      imports: system.imports ?? [],
      controllers: [
        EventCatalogueController,
        ...eventsControllers(system),
        endpointsController(system),
      ],
      providers: [
        { provide: EVENT_CATALOGUE, useValue: system.catalogue },
        { provide: WEBHOOK_ADMIN, ...system.admin },
      ],
    };
  }
}
