import { Sql } from '@gatehouse/service-kit';
import { type DataSource } from 'typeorm';
import { DirectoryRepository } from '../directories/directory.repository.js';
import { RoleJobs } from './role-jobs.js';

export interface RoleJobsOptions {
  dataSource: DataSource;
  wakeLane: (directoryId: string) => void;
}

/** Changes of role mappings for a worker. */
export function createRoleJobs({ dataSource, wakeLane }: RoleJobsOptions): RoleJobs {
  const sql = new Sql(dataSource);
  return new RoleJobs({ sql, directories: new DirectoryRepository(dataSource, sql), wakeLane });
}
