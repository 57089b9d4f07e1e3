/** Stored rows and answers of the real Polis, recorded by `real-polis.fault-spec.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createTestDatabase, listenOnLoopback, type TestDatabase } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { type PolisConnection } from './real-polis/run.js';
import { type Memory } from './provider-traffic.js';

const FILE = join(workspace, 'libs', 'import', 'test', 'recorded-polis.json');

export type Row = Record<string, string | number | null>;

export interface RecordedPolis {
  version: string;
  encryptionKey: string;
  /** By provider. */
  connections: Record<string, { connection: PolisConnection; memory: Memory }>;
  /** Answers of the management API by path and query. */
  answers: Record<string, { status: number; body: unknown }>;
  store: Row[];
  index: Row[];
}

export function recordedPolis(): RecordedPolis {
  return JSON.parse(readFileSync(FILE, 'utf8')) as RecordedPolis;
}

export function recordPolis(recorded: RecordedPolis): void {
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
}

/** A database as that of Polis, with its records. */
export async function storeRecords({ store, index }: RecordedPolis): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.query(`CREATE TABLE jackson_store (key varchar(1500) PRIMARY KEY, value text,
    iv varchar(64), tag varchar(64), namespace varchar(256), "createdAt" serial)`);
  await database.query(`CREATE TABLE jackson_index (id integer PRIMARY KEY, key varchar(1500),
    "storeKey" varchar(1500))`);
  await database.query(
    `INSERT INTO jackson_store (key, value, iv, tag, namespace)
      SELECT r.* FROM json_to_recordset($1::json)
        AS r (key text, value text, iv text, tag text, namespace text)`,
    [JSON.stringify(store)],
  );
  await database.query(
    `INSERT INTO jackson_index SELECT r.* FROM json_to_recordset($1::json)
      AS r (id integer, key text, "storeKey" text)`,
    [JSON.stringify(index)],
  );
  return database;
}

/** Answers the management API, from the records or from a running Polis. */
export async function serveAnswers(
  answerOf: (path: string) => Promise<{ status: number; body: unknown } | undefined>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    void answerOf(request.url ?? '').then((answer = { status: 500, body: {} }) => {
      response.writeHead(answer.status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
