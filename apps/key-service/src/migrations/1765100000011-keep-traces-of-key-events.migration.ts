import { forgetTracesOfEvents, keepTracesOfEvents } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An event keeps the trace in which it happened, for the webhook that delivers it. */
export class KeepTracesOfKeyEvents1765100000011 implements MigrationInterface {
  readonly name = 'KeepTracesOfKeyEvents1765100000011';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of keepTracesOfEvents('keys')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of forgetTracesOfEvents('keys')) await runner.query(statement);
  }
}
