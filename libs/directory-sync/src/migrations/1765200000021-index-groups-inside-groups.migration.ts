import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the groups inside a group without reading the users among its members. */
export class IndexGroupsInsideGroups1765200000021 implements MigrationInterface {
  readonly name = 'IndexGroupsInsideGroups1765200000021';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS group_members_inside
      ON dsync.group_members (group_id, subgroup_id) WHERE subgroup_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS dsync.group_members_inside');
  }
}
