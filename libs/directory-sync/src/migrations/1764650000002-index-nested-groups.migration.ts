import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Follows nested groups without reading the users among their members. */
export class IndexNestedGroups1764650000002 implements MigrationInterface {
  readonly name = 'IndexNestedGroups1764650000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS workspace_members_nested
      ON dsync.workspace_members (directory_id, group_external_id, member_external_id)
      WHERE is_group`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS dsync.workspace_members_nested');
  }
}
