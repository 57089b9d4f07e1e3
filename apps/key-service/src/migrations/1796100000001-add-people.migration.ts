import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** People of directories, whose keys stop when they leave (ADR 0052). */
export class AddPeople1796100000001 implements MigrationInterface {
  readonly name = 'AddPeople1796100000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // The key links of directory sync and identity forms, as they were received last. identity: the revision
  // since which they name the same actors.
  `CREATE TABLE keys.directory_links (
    tenant text COLLATE "C" NOT NULL,
    product text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    identity bigint NOT NULL,
    attribute text NOT NULL,
    actor_prefix text COLLATE "C" NOT NULL,
    email_domains text[] NOT NULL,
    on_deactivate text NOT NULL CHECK (on_deactivate IN ('off', 'pause', 'revoke')),
    on_delete text NOT NULL CHECK (on_delete IN ('off', 'pause', 'revoke')),
    update_time timestamptz NOT NULL DEFAULT now(),
    snapshot_time timestamptz,
    unmatched_actors bigint,
    count_time timestamptz,
    PRIMARY KEY (tenant, product)
  )`,

  // A row for each actor that a person is or was, by the link of this identity. named: the change that named
  // the actor last. sequence: of the newest change in the log of the source. applied: what the link said to do in
  // this state; null if it has not been done. actor_id has the collation of api_keys, which are looked up by it.
  `CREATE TABLE keys.people (
    source_id uuid NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    actor_id text NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    product text COLLATE "C" NOT NULL,
    state text NOT NULL CHECK (state IN ('active', 'inactive', 'deleted')),
    identity bigint NOT NULL,
    named bigint NOT NULL,
    sequence bigint NOT NULL,
    state_time timestamptz NOT NULL DEFAULT now(),
    applied text,
    PRIMARY KEY (source_id, user_id, actor_id)
  )`,
  // Sources whose people were forgotten: what they had sent by this number of their log comes too late.
  `CREATE TABLE keys.forgotten_sources (
    source_id uuid PRIMARY KEY,
    sequence bigint NOT NULL
  )`,
  `CREATE INDEX people_actor ON keys.people (actor_id, tenant)`,
  `CREATE INDEX people_to_apply ON keys.people (source_id, actor_id) WHERE applied IS NULL`,
  `CREATE INDEX people_away ON keys.people (tenant, product, actor_id) WHERE state <> 'active'`,
  `CREATE INDEX people_deleted ON keys.people (state_time) WHERE state = 'deleted'`,

  // Because of whom a key is paused or revoked; null if an administrator did it.
  `ALTER TABLE keys.api_keys ADD COLUMN leaver jsonb`,
];

const DOWN = [
  `ALTER TABLE keys.api_keys DROP COLUMN leaver`,
  `DROP TABLE keys.people, keys.directory_links, keys.forgotten_sources`,
];
