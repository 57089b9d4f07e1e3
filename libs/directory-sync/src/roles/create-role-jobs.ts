import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { DirectoryRepository } from '../directories/directory.repository.js';
import { RoleJobs } from './role-jobs.js';

export interface RoleJobsOptions {
  dataSource: DataSource;
  wakeLane: (directoryId: string) => void;
}

/** Changes of role mappings for a worker. */
export function createRoleJobs({ dataSource, wakeLane }: RoleJobsOptions): RoleJobs {
  const sql = sqlOf(dataSource);
  return new RoleJobs({ sql, directories: new DirectoryRepository(dataSource, sql), wakeLane });
}
