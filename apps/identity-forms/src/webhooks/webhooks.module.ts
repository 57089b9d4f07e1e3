import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@Module({
  imports: [PagingModule],
  controllers: [WebhookDeliveriesController, WebhookEndpointsController],
  providers: [WebhookEndpointsService],
})
export class WebhooksModule {}
