import { createOrderedReads, dropOrderedReads } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A lane that is far behind reads its next events by their index (ADR 0042). */
export class ReadEventsInOrder1765300003001 implements MigrationInterface {
  readonly name = 'ReadEventsInOrder1765300003001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of createOrderedReads('dsync')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropOrderedReads('dsync')) await runner.query(statement);
  }
}
