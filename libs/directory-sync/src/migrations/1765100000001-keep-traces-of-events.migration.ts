import { forgetTracesOfEvents, keepTracesOfEvents } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An event keeps the trace in which it happened, for the webhook that delivers it. */
export class KeepTracesOfEvents1765100000001 implements MigrationInterface {
  readonly name = 'KeepTracesOfEvents1765100000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of keepTracesOfEvents('dsync')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of forgetTracesOfEvents('dsync')) await runner.query(statement);
  }
}
