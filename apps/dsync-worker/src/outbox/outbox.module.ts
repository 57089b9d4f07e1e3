import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { OutboxSweep } from './outbox.sweep.js';

/** Finds lanes whose wake-up was lost. */
@Module({ imports: [DeliveryModule], providers: [OutboxSweep] })
export class OutboxModule {}
