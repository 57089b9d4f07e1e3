import { createDeliveryTables, dropDeliveryTables } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The log of key events, and the webhook endpoints that receive them. */
export class CreateKeyEvents1764000000001 implements MigrationInterface {
  readonly name = 'CreateKeyEvents1764000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of createDeliveryTables('keys')) await runner.query(statement);
    // For pages of one type. Partitions that are created later get it too.
    await runner.query('CREATE INDEX events_type ON keys.events (type, sequence)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropDeliveryTables('keys')) await runner.query(statement);
  }
}
