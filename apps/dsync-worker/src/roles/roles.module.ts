import { LaneQueue } from '@gatehouse/delivery';
import { createRoleJobs, type RoleJobs } from '@gatehouse/directory-sync';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DsyncWorkerConfig } from '../config.js';
import { RoleSchedule } from './role.schedule.js';
import { ROLE_JOBS } from './roles.tokens.js';

/** Gives users the roles of changed rules. */
@Module({
  providers: [
    {
      provide: ROLE_JOBS,
      inject: [DsyncWorkerConfig, DataSource, LaneQueue],
      useFactory: (config: DsyncWorkerConfig, dataSource: DataSource, lanes: LaneQueue): RoleJobs =>
        createRoleJobs({
          dataSource,
          wakeLane: (directoryId) => {
            // In batch mode, events wait for the next batch.
            if (config.delivery.size === 0) lanes.wake(directoryId);
          },
        }),
    },
    RoleSchedule,
  ],
})
export class RolesModule {}
