import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

const ACTION = `text NOT NULL CHECK (%s IN ('off', 'pause', 'revoke'))`;

const STATEMENTS = [
  // One sequence for all links: a link that was deleted and made again has a higher revision, too.
  'CREATE SEQUENCE dsync.key_link_revisions AS bigint',
  `CREATE TABLE dsync.key_links (
    tenant text NOT NULL,
    product text NOT NULL,
    attribute text NOT NULL,
    actor_prefix text NOT NULL,
    email_domains text[] NOT NULL,
    all_actors boolean NOT NULL,
    on_deactivate ${ACTION.replace('%s', 'on_deactivate')},
    on_delete ${ACTION.replace('%s', 'on_delete')},
    revision bigint NOT NULL DEFAULT nextval('dsync.key_link_revisions'),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, product)
  )`,

  // The people of a directory are sent whole while sent < wanted. A row outlives its directory, until the
  // key service has forgotten the people.
  `CREATE TABLE dsync.key_feeds (
    directory_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    product text NOT NULL,
    wanted bigint NOT NULL DEFAULT 1,
    sent bigint NOT NULL DEFAULT 0,
    leased_by uuid,
    leased_until timestamptz(3) NOT NULL DEFAULT '-infinity'
  )`,
  'CREATE INDEX key_feeds_due ON dsync.key_feeds (leased_until) WHERE wanted > sent',
];

/** Links the people of directories with the keys of the key service. */
export class LinkKeys1796200000001 implements MigrationInterface {
  readonly name = 'LinkKeys1796200000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM dsync.endpoints WHERE id = $1', [KEY_SERVICE_ENDPOINT]);
    await runner.query('DROP TABLE dsync.key_feeds, dsync.key_links');
    await runner.query('DROP SEQUENCE dsync.key_link_revisions');
  }
}
