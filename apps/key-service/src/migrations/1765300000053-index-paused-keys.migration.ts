import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists of paused keys. Other keys are not in the index. */
export class IndexPausedKeys1765300000053 implements MigrationInterface {
  readonly name = 'IndexPausedKeys1765300000053';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_paused
      ON keys.api_keys (kind, create_time DESC, key_id DESC) WHERE pause_time IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS keys.api_keys_paused');
  }
}
