import { grantDeliveryRead, KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

const STATEMENTS = [
  // A link that was deleted and made again has a higher revision, too.
  'CREATE SEQUENCE forms.key_link_revisions AS bigint',
  `CREATE TABLE forms.key_links (
    source_id uuid PRIMARY KEY,
    actor_prefix text NOT NULL,
    on_delete text NOT NULL CHECK (on_delete IN ('off', 'pause', 'revoke')),
    revision bigint NOT NULL DEFAULT nextval('forms.key_link_revisions'),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  grantDeliveryRead('forms.key_links'),
];

/** Links identities with the keys of the key service. */
export class LinkKeys1796200000002 implements MigrationInterface {
  readonly name = 'LinkKeys1796200000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM forms.endpoints WHERE id = $1', [KEY_SERVICE_ENDPOINT]);
    await runner.query('DROP TABLE forms.key_links');
    await runner.query('DROP SEQUENCE forms.key_link_revisions');
  }
}
