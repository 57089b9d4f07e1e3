import { grantDelivery, revokeDelivery } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The role that deploy/postgres/provision.sql creates for workers delivers the webhooks. */
export class LetWorkersDeliverKeyEvents1764300000001 implements MigrationInterface {
  readonly name = 'LetWorkersDeliverKeyEvents1764300000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantDelivery('keys'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeDelivery('keys'));
  }
}
