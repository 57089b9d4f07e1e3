import { createOrderedReads, dropOrderedReads } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A lane that is far behind reads its next events by their index (ADR 0042). */
export class ReadKeyEventsInOrder1765300003011 implements MigrationInterface {
  readonly name = 'ReadKeyEventsInOrder1765300003011';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of createOrderedReads('keys')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropOrderedReads('keys')) await runner.query(statement);
  }
}
