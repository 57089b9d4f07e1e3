import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What a listing changes in the members of each group, so that members are compared a few groups at a
 * time; null before a run has compared them. `amounts` is what a run has listed, against its bounds.
 */
export class CompareMembersByGroup1764650000001 implements MigrationInterface {
  readonly name = 'CompareMembersByGroup1764650000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dsync.workspace_groups ADD COLUMN members_listed integer,
      ADD COLUMN members_added integer, ADD COLUMN members_removed integer`);
    await runner.query(`ALTER TABLE dsync.workspace_runs
      ADD COLUMN amounts jsonb NOT NULL DEFAULT '{"bytes": 0, "memberships": 0}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dsync.workspace_runs DROP COLUMN amounts');
    await runner.query(`ALTER TABLE dsync.workspace_groups DROP COLUMN members_listed,
      DROP COLUMN members_added, DROP COLUMN members_removed`);
  }
}
