/** The events of the version before are in the log, and its replicas can write some more. */
import { createDataSource as dataSourceOf, migrate } from '@gatehouse/nest-kit/database';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { createDataSource, database as definition } from '../src/data-source.js';
import { CreateIdentityEvents1764000000000 } from '../src/migrations/1764000000000-create-identity-events.migration.js';

const IDENTITY = '01900000-0000-7000-8000-000000000001';
const idOf = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  const index = definition.migrations.indexOf(CreateIdentityEvents1764000000000);
  const migrations = definition.migrations.slice(0, index);
  await migrate(dataSourceOf({ ...definition, migrations, databaseUrl: database.url }), 'up');
});
afterEach(() => database.drop());

const payloadOf = (n: number) => ({
  event_id: idOf(n),
  type: 'identity.created',
  identity_id: IDENTITY,
  schema_id: 's',
  schema_version: 1,
  occurred_at: '2026-01-15T09:30:00.000Z',
  flow_id: IDENTITY,
});
/** As the version before writes an event. */
const writeFormer = (n: number, daysAgo: number) =>
  database.query(
    `INSERT INTO forms.events (id, type, identity_id, payload, created_at)
     VALUES ($1, 'identity.created', $2, $3, now() - $4 * interval '1 day')`,
    [idOf(n), IDENTITY, JSON.stringify(payloadOf(n)), daysAgo],
  );
const rows = () =>
  database.query<{ id: string; data: object }>(
    'SELECT id, data, identity_id, payload FROM forms.events ORDER BY sequence',
  );

it('keeps events in their order, also old ones', async () => {
  await writeFormer(3, 2);
  await writeFormer(2, 89);
  await migrate(createDataSource(database.url), 'up');
  const data = {
    identity_id: IDENTITY,
    schema_id: 's',
    schema_version: 1,
    flow_id: IDENTITY,
  };
  const cleared = { identity_id: null, payload: null };
  expect(await rows()).toEqual([
    { id: idOf(2), data, ...cleared },
    { id: idOf(3), data, ...cleared },
  ]);
  await writeFormer(1, 0);
  expect(await rows()).toEqual([
    { id: idOf(2), data, ...cleared },
    { id: idOf(3), data, ...cleared },
    { id: idOf(1), data, ...cleared },
  ]);
});

it('without events, it can be reverted and repeated', async () => {
  await migrate(createDataSource(database.url), 'up');
  await writeFormer(1, 0);
  await migrate(createDataSource(database.url), 'down');
  await migrate(createDataSource(database.url), 'up');
  expect(await rows()).toEqual([]);
});
