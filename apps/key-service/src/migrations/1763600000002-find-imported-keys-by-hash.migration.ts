import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Imported keys get random ids and are found by their keyed hash. */
export class FindImportedKeysByHash1763600000002 implements MigrationInterface {
  readonly name = 'FindImportedKeysByHash1763600000002';

  async up(runner: QueryRunner): Promise<void> {
    const [{ count }] = (await runner.query(
      `SELECT count(*)::int AS count FROM keys.api_keys WHERE kind = 'imported'`,
    )) as [{ count: number }];
    if (count > 0) {
      throw new Error(
        `keys.api_keys holds ${count} imported keys of an earlier version, whose hashes only their ` +
          'raw keys can renew. Delete these rows, migrate, and import the keys again.',
      );
    }
    // Imported keys are the rows with a hash_key_id. A condition on kind would let the planner
    // prefer an index that begins with kind, and read all imported keys, while it expects few.
    await runner.query(`
      CREATE UNIQUE INDEX api_keys_imported ON keys.api_keys (secret_hash)
      WHERE hash_key_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX keys.api_keys_imported');
  }
}
