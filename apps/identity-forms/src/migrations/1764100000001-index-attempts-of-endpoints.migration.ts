import { dropIndexesOfAttempts, indexAttemptsOfEndpoints } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists the attempts to deliver to one endpoint without reading those of others. */
export class IndexAttemptsOfEndpoints1764100000001 implements MigrationInterface {
  readonly name = 'IndexAttemptsOfEndpoints1764100000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of indexAttemptsOfEndpoints('forms')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropIndexesOfAttempts('forms')) await runner.query(statement);
  }
}
