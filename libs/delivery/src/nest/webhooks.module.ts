import { type DynamicModule, Module } from '@nestjs/common';
import { EVENT_CATALOG, EventCatalogController } from './catalog.controller.js';
import { endpointsController } from './endpoints.controller.js';
import { eventsControllers } from './events.controllers.js';
import { WEBHOOK_ADMIN, type WebhookSystem } from './webhook-system.js';

/** The API of the endpoints and events of a service, and the catalog of its events. */
@Module({})
export class WebhooksModule {
  static forSystem(system: WebhookSystem): DynamicModule {
    return {
      module: WebhooksModule,
      imports: system.imports ?? [],
      controllers: [
        EventCatalogController,
        ...eventsControllers(system),
        endpointsController(system),
      ],
      providers: [
        { provide: EVENT_CATALOG, useValue: system.catalog },
        { provide: WEBHOOK_ADMIN, ...system.admin },
      ],
    };
  }
}
