/** A delivery system with a filled log, for both sides of each row. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addLaneClaims, createDeliveryTables, type DeliverySystem } from '@gatehouse/delivery';
import { dataSourceOptions, sqlOf } from '@gatehouse/nest-kit/database';
import { DataSource } from 'typeorm';

const SCHEMA = 'bench';
const SECRET = 'a-secret-of-the-benchmark';
const RECEIVER = fileURLToPath(new URL('receiver.js', import.meta.url));

/** The size of an event of an ordinary user. */
const DATA = JSON.stringify({
  id: '01983f70-1b42-7000-8000-8d03c5e6f712',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  active: true,
  raw: { userName: 'ada', note: 'x'.repeat(400) },
});

export interface LogOptions {
  url: string;
  /** Endpoints of one source each. */
  endpoints: number;
  /** Events of each source that has any. */
  events: number;
  /** Sources with events; by default all. */
  active?: number;
  /** Events of one further source, which has an endpoint of its own. */
  large?: number;
}

export const system: DeliverySystem = {
  schema: SCHEMA,
  payloads: (sourceId, events) =>
    events.map(({ id, type, data, sequence, createdAt }) => ({
      event: type,
      directory_id: sourceId,
      data,
      id,
      sequence: Number(sequence),
      created_at: createdAt.toISOString(),
    })),
  seal: (_endpointId, _column, text) => text,
  open: () => SECRET,
};

/** Starts the receiver where the load runs, so that it takes no time of the measured process. */
export async function startReceiver(): Promise<{ url: string; close: () => void }> {
  const options = { execPath: 'taskset', execArgv: ['-c', '0', process.execPath] };
  const child = fork(RECEIVER, process.platform === 'linux' ? options : {});
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/`, close: () => child.disconnect() };
}

/** Creates and fills the tables. */
export async function fillLog(options: LogOptions, receiverUrl: string) {
  const { url: databaseUrl, endpoints, events, active = endpoints, large = 0 } = options;
  const dataSource = new DataSource(
    dataSourceOptions({ databaseUrl, schema: 'public', entities: [], migrations: [], poolMax: 10 }),
  );
  await dataSource.initialize();
  const sql = sqlOf(dataSource);
  await sql.rows({ text: `CREATE SCHEMA ${SCHEMA}` });
  const statements = [...createDeliveryTables(SCHEMA), ...addLaneClaims(SCHEMA)];
  for (const text of statements) await sql.rows({ text });
  const added = await sql.rows<{ id: string; sourceId: string }>(
    {
      text: `INSERT INTO ${SCHEMA}.endpoints (source_id, url, secret_sealed, cursor)
        SELECT ${SCHEMA}.uuid_v7(), $1, 'sealed', 0 FROM generate_series(1, $2)
        RETURNING id, source_id AS "sourceId"`,
    },
    [receiverUrl, endpoints + (large > 0 ? 1 : 0)],
  );
  const fill = {
    text: `INSERT INTO ${SCHEMA}.events (source_id, type, data)
      SELECT s.id, 'user.created', $2 FROM generate_series(1, $3) n, unnest($1::uuid[]) AS s (id)`,
  };
  const sources = added.slice(0, active).map(({ sourceId }) => sourceId);
  const add = async (to: string[], count: number) => {
    for (let left = count; left > 0; left -= 10_000) {
      await sql.rows(fill, [to, DATA, Math.min(left, 10_000)]);
    }
  };
  await add(
    added.slice(endpoints).map(({ sourceId }) => sourceId),
    large,
  );
  await add(sources, events);
  await sql.rows({ text: `ANALYZE ${SCHEMA}.events, ${SCHEMA}.endpoints` });
  const rewind = (id: string) =>
    sql.rows({ text: `UPDATE ${SCHEMA}.endpoints SET cursor = 0 WHERE id = $1` }, [id]);
  const append = () => sql.rows(fill, [sources, DATA, 1]);
  const close = () => dataSource.destroy();
  return { sql, added, rewind, append, close };
}
