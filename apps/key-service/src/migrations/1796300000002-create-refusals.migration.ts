import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Why verifications refused a key, with how often and from where. */
export class CreateRefusals1796300000002 implements MigrationInterface {
  readonly name = 'CreateRefusals1796300000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.refusals');
  }
}

const UP = [
  // reason: the position in VERIFICATION_ERRORS. limit_name: '' unless a limit refused. network: '' without an address.
  `CREATE TABLE keys.refusals (
    key_id text COLLATE "C" NOT NULL,
    reason smallint NOT NULL,
    limit_name text COLLATE "C" NOT NULL,
    network text COLLATE "C" NOT NULL,
    first_time timestamptz NOT NULL,
    last_time timestamptz NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (key_id, reason, limit_name, network)
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX refusals_old ON keys.refusals (last_time)',
];
