import { grantDelivery, revokeDelivery } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The role that deploy/postgres/provision.sql creates for workers delivers the webhooks. */
export class LetWorkersDeliverIdentityEvents1764300000001 implements MigrationInterface {
  readonly name = 'LetWorkersDeliverIdentityEvents1764300000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantDelivery('forms'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeDelivery('forms'));
  }
}
