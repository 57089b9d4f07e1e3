import { Module } from '@nestjs/common';
import { FlowsModule } from '../flows/flows.module.js';
import { IdentitiesModule } from '../identities/identities.module.js';
import { RetentionTask } from './retention.task.js';

@Module({ imports: [FlowsModule, IdentitiesModule], providers: [RetentionTask] })
export class RetentionModule {}
