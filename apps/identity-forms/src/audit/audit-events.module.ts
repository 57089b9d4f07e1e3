import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { AuditEventsController } from './audit-events.controller.js';

@Module({ imports: [PagingModule], controllers: [AuditEventsController] })
export class AuditEventsModule {}
