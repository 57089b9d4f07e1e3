import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { identifierDigest } from '../src/identities/identifier-digest.js';

const DOCUMENT = JSON.stringify({
  properties: {
    traits: {
      type: 'object',
      properties: { mail: { type: 'string', format: 'email', 'x-identifier': true } },
    },
  },
});
const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;

describe('the migration of identifiers', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource(database.url);
    await dataSource.initialize();
    await dataSource.query('CREATE SCHEMA IF NOT EXISTS forms');
    await dataSource.runMigrations();
  });

  const applied = (): Promise<object[]> =>
    dataSource.query(
      "SELECT 1 FROM forms.migrations WHERE name = 'RecomputeIdentifiers1763800000001'",
    );

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('gives every identity the identifiers of the present form; the older one of two keeps its own', async () => {
    while ((await applied()).length > 0) await dataSource.undoLastMigration();
    await dataSource.query("INSERT INTO forms.schemas (id, current_version) VALUES ('s', 1)");
    await dataSource.query(
      "INSERT INTO forms.schema_versions (schema_id, version, digest, document) VALUES ('s', 1, '', $1)",
      [DOCUMENT],
    );
    const mails = ['ada@example.com', '"ada"@example.com', 'b\u200bob@example.com.'];
    for (const [index, mail] of mails.entries()) {
      await dataSource.query(
        `INSERT INTO forms.identities (id, schema_id, schema_version, traits)
         VALUES ($1, 's', 1, $2)`,
        [idOf(index), { mail }],
      );
      await dataSource.query(
        "INSERT INTO forms.identifiers (schema_id, digest, identity_id) VALUES ('s', $1, $2)",
        [identifierDigest(mail), idOf(index)],
      );
    }
    await dataSource.runMigrations();
    const rows: { digest: Buffer; identity_id: string }[] = await dataSource.query(
      'SELECT digest, identity_id FROM forms.identifiers ORDER BY identity_id',
    );
    expect(rows).toEqual([
      { digest: identifierDigest('ada@example.com'), identity_id: idOf(0) },
      { digest: identifierDigest('bob@example.com'), identity_id: idOf(2) },
    ]);
  });
});
