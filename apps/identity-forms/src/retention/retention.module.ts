import { Module } from '@nestjs/common';
import { FlowsModule } from '../flows/flows.module.js';
import { RetentionTask } from './retention.task.js';

@Module({ imports: [FlowsModule], providers: [RetentionTask] })
export class RetentionModule {}
