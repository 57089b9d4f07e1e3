/** A delivery system with tables of its own, on a real database, and a receiver of its webhooks. */
import { randomUUID } from 'node:crypto';
import { type Sql } from '@gatehouse/kit/sql';
import { dataSourceOptions, sqlOf } from '@gatehouse/nest-kit/database';
import {
  createMigratedDatabase,
  startWebhookReceiver,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import {
  addLaneClaims,
  createDelivery,
  createDeliveryTables,
  type EndpointKey,
  type Delivery,
  type DeliverySystem,
  Endpoints,
  type EndpointSettings,
  EventLog,
  eventLogStatements,
  type LaneRun,
  type LaneSettings,
} from '../src/index.js';

export const SCHEMA = 'parcels';

export const SETTINGS: LaneSettings = {
  retryScheduleSeconds: [5, 30],
  timeoutSeconds: 2,
  turnSeconds: 20,
  eventAttempts: 2,
  batchSize: 0,
};

export const system: DeliverySystem = {
  schema: SCHEMA,
  payloads: (sourceId, events) =>
    events.map(({ id, type, data, sequence }) => ({
      event: type,
      source: sourceId,
      data,
      id,
      sequence: Number(sequence),
    })),
  seal: (_endpointId, _column, text) => `sealed:${text}`,
  open: (_endpointId, _column, sealed) => sealed.replace('sealed:', ''),
};

export interface Fixture {
  database: TestDatabase;
  sql: Sql;
  log: EventLog;
  endpoints: Endpoints;
  receiver: WebhookReceiver;
  /** New for each test. */
  sourceId: string;
  endpointId: string;
  /** The key of that endpoint. */
  key(): EndpointKey;
  /** Logs an event of the source with a number. */
  write(n: number, type?: string): Promise<void>;
  newEndpoint(settings?: Partial<EndpointSettings>): Promise<string>;
  delivery(settings?: Partial<LaneSettings>): Delivery;
  /** Runs the lane as if all pauses were over. */
  runDue(settings?: Partial<LaneSettings>): Promise<LaneRun>;
  /** The numbers that arrived, in order. */
  arrived(): number[];
  parked(): Promise<{ sequence: string; reason: string; attempts: number }[]>;
  endpoint(): Promise<NonNullable<Awaited<ReturnType<Endpoints['find']>>>>;
}

async function createTables(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE SCHEMA ${SCHEMA}`);
    const statements = [...createDeliveryTables(SCHEMA), ...addLaneClaims(SCHEMA)];
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

export function useDelivery(): Fixture {
  const fixture = {} as Fixture;
  let dataSource: DataSource;
  const deliveries = new Map<string, Delivery>();
  const { insertOne } = eventLogStatements(SCHEMA);

  beforeAll(async () => {
    fixture.database = await createMigratedDatabase(SCHEMA, createTables);
    const { url: databaseUrl } = fixture.database;
    dataSource = new DataSource(
      dataSourceOptions({
        databaseUrl,
        schema: 'public',
        entities: [],
        migrations: [],
        poolMax: 4,
      }),
    );
    await dataSource.initialize();
    fixture.sql = sqlOf(dataSource);
    fixture.log = new EventLog(fixture.sql, SCHEMA);
    fixture.endpoints = new Endpoints(SCHEMA);
  });
  beforeEach(async () => {
    await fixture.database.query(`DELETE FROM ${SCHEMA}.endpoints`);
    fixture.receiver = await startWebhookReceiver({ check: () => undefined });
    fixture.sourceId = randomUUID();
    fixture.endpointId = await fixture.newEndpoint();
  });
  afterEach(() => fixture.receiver.close());
  afterAll(async () => {
    for (const delivery of deliveries.values()) await delivery.close();
    await dataSource.destroy();
    await fixture.database.drop();
  });

  fixture.write = async (n, type = 'parcel.sent') => {
    await fixture.sql.rows(insertOne, [fixture.sourceId, type, JSON.stringify({ n })]);
  };
  fixture.newEndpoint = async (settings = {}) => {
    const id = randomUUID();
    await fixture.endpoints.insert(fixture.sql, id, fixture.sourceId, {
      url: fixture.receiver.url,
      types: null,
      secretSealed: null,
      headersSealed: null,
      logsAttempts: false,
      onPoison: 'park',
      enabled: true,
      ...settings,
    });
    return id;
  };
  fixture.delivery = (settings = {}) => {
    const name = JSON.stringify(settings);
    const known = deliveries.get(name);
    if (known) return known;
    const delivery = createDelivery({
      sql: fixture.sql,
      system,
      outbound: { allowPrivate: true },
      settings: { ...SETTINGS, ...settings },
      logger: { warn: () => undefined },
    });
    deliveries.set(name, delivery);
    return delivery;
  };
  fixture.runDue = async (settings) => {
    const over = `UPDATE ${SCHEMA}.endpoints SET next_attempt_at = '-infinity'
      WHERE id = $1 AND isfinite(next_attempt_at)`;
    await fixture.database.query(over, [fixture.endpointId]);
    return fixture.delivery(settings).runLane(fixture.key());
  };
  fixture.arrived = () =>
    fixture.receiver.received
      .flatMap(({ body }) => JSON.parse(body) as { event: string; data: { n: number } }[])
      .filter(({ event }) => event !== 'webhook.ping')
      .map(({ data }) => data.n);
  fixture.parked = () =>
    fixture.database.query(
      `SELECT sequence, reason, attempts FROM ${SCHEMA}.parked_events WHERE endpoint_id = $1`,
      [fixture.endpointId],
    );
  fixture.key = () => ({ id: fixture.endpointId, sourceId: fixture.sourceId });
  fixture.endpoint = async () => {
    const found = await fixture.endpoints.find(fixture.sql, fixture.key());
    if (!found) throw new Error('the endpoint is gone');
    return found;
  };
  return fixture;
}
