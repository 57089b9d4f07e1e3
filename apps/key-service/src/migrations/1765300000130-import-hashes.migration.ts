import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Hashes of imported keys that another system has made, until their keys are used for the first time.
 * A group has what a check needs to know in advance: which algorithm, which key of an HMAC, how long a
 * prefix.
 */
export class ImportHashes1765300000130 implements MigrationInterface {
  readonly name = 'ImportHashes1765300000130';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE keys.imported_hash_groups (
        group_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        algorithm text NOT NULL,
        fingerprint text NOT NULL UNIQUE,
        prefix_length integer,
        sealed_key text,
        drop_time timestamptz
      )`);
    // No foreign key to api_keys: it would lock that table. DELETE_IMPORTED deletes from both.
    await runner.query(`
      CREATE TABLE keys.imported_hashes (
        key_id text COLLATE "C" PRIMARY KEY,
        group_id integer NOT NULL REFERENCES keys.imported_hash_groups,
        identity bytea NOT NULL UNIQUE CHECK (length(identity) = 32),
        prefix text COLLATE "C",
        sealed_hash text,
        rekey_time timestamptz,
        hash_drop_time timestamptz,
        CHECK ((prefix IS NULL) = (sealed_hash IS NULL))
      )`);
    await runner.query(`
      CREATE INDEX imported_hashes_prefix ON keys.imported_hashes (prefix)
      WHERE prefix IS NOT NULL`);
    await runner.query(`
      CREATE INDEX imported_hashes_pending ON keys.imported_hashes (group_id)
      WHERE rekey_time IS NULL AND hash_drop_time IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.imported_hashes');
    await runner.query('DROP TABLE keys.imported_hash_groups');
  }
}
