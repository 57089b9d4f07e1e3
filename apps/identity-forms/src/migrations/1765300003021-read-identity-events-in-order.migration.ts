import { createOrderedReads, dropOrderedReads } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A lane that is far behind reads its next events by their index (ADR 0042). */
export class ReadIdentityEventsInOrder1765300003021 implements MigrationInterface {
  readonly name = 'ReadIdentityEventsInOrder1765300003021';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of createOrderedReads('forms')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropOrderedReads('forms')) await runner.query(statement);
  }
}
