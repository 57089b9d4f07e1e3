import { addLaneClaims, removeLaneClaims } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What the payload of an event needs of its directory; null if it is deleted. */
const DELIVERED_DIRECTORY = `(SELECT json_build_object('id', d.id, 'tenant', d.tenant, 'product', d.product,
    'attributeMapping', d.attribute_mapping, 'deactivated', d.deactivated)
  FROM dsync.directories d WHERE d.id = lane.source_id AND d.deleted_at IS NULL)`;

/** A worker takes a lane and reads its next events in one round trip. */
export class ClaimLanes1796000000001 implements MigrationInterface {
  readonly name = 'ClaimLanes1796000000001';

  async up(runner: QueryRunner): Promise<void> {
    const statements = addLaneClaims('dsync', DELIVERED_DIRECTORY);
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of removeLaneClaims('dsync')) await runner.query(statement);
  }
}
