import { forgetTracesOfEvents, keepTracesOfEvents } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An event keeps the trace in which it happened, for the webhook that delivers it. */
export class KeepTracesOfIdentityEvents1765100000021 implements MigrationInterface {
  readonly name = 'KeepTracesOfIdentityEvents1765100000021';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of keepTracesOfEvents('forms')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of forgetTracesOfEvents('forms')) await runner.query(statement);
  }
}
