import { type MigrationInterface, type QueryRunner } from 'typeorm';

const folded = (text: string) => `left(lower(${text} COLLATE "und-x-icu") COLLATE "C", 255)`;

/**
 * A search finds records of all directories by the beginning of a text. The indexes are on expressions that no
 * other statement has, so the plans of requests to one directory cannot change (ADR 0022). A user whose e-mail
 * address is the userName is in one of them only.
 */
const INDEXES = {
  directories_searched_name: `directories (${folded('name')}) WHERE deleted_at IS NULL`,
  directories_searched_tenant: `directories (${folded('tenant')}) WHERE deleted_at IS NULL`,
  users_searched_user_name: 'users (left(user_name_lower, 255))',
  users_searched_email: `users (${folded('email')}) WHERE email COLLATE "C" <> user_name`,
  users_searched_display_name: `users (left(display_name_lower, 255))
    WHERE display_name_lower IS NOT NULL`,
  users_searched_external_id: `users (${folded('external_id')}) WHERE external_id IS NOT NULL`,
  groups_searched_display_name: 'groups (left(display_name_lower, 255))',
  groups_searched_external_id: `groups (${folded('external_id')}) WHERE external_id IS NOT NULL`,
  endpoints_searched_url: `endpoints (${folded(`substr(url, strpos(url, '//') + 2)`)})
    WHERE url <> ''`,
};

export class SearchRecords1796500000001 implements MigrationInterface {
  readonly name = 'SearchRecords1796500000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) {
      await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON dsync.${on}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES).toReversed()) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS dsync.${name}`);
    }
  }
}
