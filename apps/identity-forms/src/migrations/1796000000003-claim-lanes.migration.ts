import { addLaneClaims, removeLaneClaims } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A worker takes a lane and reads its next events in one round trip. */
export class ClaimLanes1796000000003 implements MigrationInterface {
  readonly name = 'ClaimLanes1796000000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of addLaneClaims('forms')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of removeLaneClaims('forms')) await runner.query(statement);
  }
}
