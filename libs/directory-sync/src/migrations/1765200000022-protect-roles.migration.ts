import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A guard holds the removal of some members of a group, if it would take a protected role from all users. */
export class ProtectRoles1765200000022 implements MigrationInterface {
  readonly name = 'ProtectRoles1765200000022';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM dsync.held_removals WHERE operation = 'members'`);
    await runner.query(`ALTER TABLE dsync.held_removals DROP COLUMN member_ids,
      DROP CONSTRAINT held_removals_operation_check,
      ADD CONSTRAINT held_removals_operation_check
        CHECK (operation IN ('delete', 'deactivate', 'empty'))`);
  }
}

const STATEMENTS = [
  `ALTER TABLE dsync.held_removals ADD COLUMN member_ids uuid[] NOT NULL DEFAULT '{}'`,
  `ALTER TABLE dsync.held_removals DROP CONSTRAINT held_removals_operation_check,
    ADD CONSTRAINT held_removals_operation_check
      CHECK (operation IN ('delete', 'deactivate', 'empty', 'members')) NOT VALID`,
];
