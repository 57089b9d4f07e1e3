/** Refuses migrations that block the version that runs, or that the version before cannot work with. */
import { join } from 'node:path';
import { type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { MIGRATING_APPS } from '#local-stack/migrations.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { refusedStatements } from './blocking-statements.js';

/**
 * By application: the migrations that may contain refused statements, each with the reason. A migration
 * that drops what is no longer used has the release that stopped using it as its `oldestVersion`.
 */
const ALLOWED: Record<(typeof MIGRATING_APPS)[number], Record<string, string>> = {
  'key-service': {},
  'dsync-api': {},
  'identity-forms': {},
  console: {},
};

it.each(MIGRATING_APPS)('the migrations of %s let the version before go on', async (app) => {
  const refused: Record<string, string[]> = {};
  for (const migration of await migrationsOf(app)) {
    const lines = refusedStatements(await statementsOf(migration), migration);
    if (lines.length > 0) refused[migration.name ?? migration.constructor.name] = lines;
  }
  const unexpected = Object.entries(refused).filter(([name]) => !(name in ALLOWED[app]));
  expect(Object.fromEntries(unexpected)).toEqual({});
  // Nothing is listed that could be removed.
  expect(Object.keys(refused)).toEqual(Object.keys(ALLOWED[app]));
});

const PLAIN = {};
const WITHOUT_TRANSACTION = { transaction: false };

it.each([
  'CREATE INDEX a ON s.t (c)',
  'CREATE UNIQUE INDEX a ON s.t (c)',
  'DROP INDEX s.a',
  'LOCK TABLE s.t IN SHARE MODE',
  'UPDATE s.t SET c = 1',
  'DELETE FROM s.t WHERE c = 1',
  'TRUNCATE s.t',
  'DROP TABLE s.t',
  'DROP FUNCTION s.f',
  'ALTER TABLE s.t ADD COLUMN c uuid DEFAULT gen_random_uuid()',
  'ALTER TABLE s.t ADD c integer GENERATED ALWAYS AS (length(d)) STORED',
  'ALTER TABLE s.t ADD COLUMN c bigserial',
  'ALTER TABLE s.t ADD COLUMN c text NOT NULL',
  'ALTER TABLE s.t ADD COLUMN c text UNIQUE',
  'ALTER TABLE s.t ADD COLUMN c uuid REFERENCES s.u (id)',
  'ALTER TABLE s.t ADD COLUMN b text, ADD CONSTRAINT x CHECK (length(b) > 0)',
  'ALTER TABLE s.t ADD FOREIGN KEY (c) REFERENCES s.u (id)',
  'ALTER TABLE s.t ADD PRIMARY KEY (c)',
  'ALTER TABLE s.t ALTER COLUMN c TYPE bigint',
  'ALTER TABLE s.t ALTER c SET DATA TYPE bigint USING c::bigint',
  'ALTER TABLE s.t ALTER c SET NOT NULL',
  'ALTER TABLE s.t DROP COLUMN c',
  'ALTER TABLE s.t DROP c',
  'ALTER TABLE s.t RENAME TO u',
  'ALTER TABLE ONLY s.t RENAME COLUMN c TO d',
  'ALTER INDEX s.a RENAME TO b',
  "DO $$ BEGIN UPDATE s.t SET c = ';'; END $$",
  'CREATE TABLE s.u (id int); CREATE INDEX a ON s.t (c)',
  'ALTER TABLE s.t ADD CONSTRAINT x CHECK (c > 0) NOT VALID; ALTER TABLE s.t VALIDATE CONSTRAINT x',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON s.t (c)',
])('refuses %s', (sql) => {
  expect(refusedStatements([sql], PLAIN)).not.toEqual([]);
});

it.each([
  'CREATE INDEX CONCURRENTLY a ON s.t (c)',
  'DROP INDEX CONCURRENTLY s.a',
  'ALTER TABLE s.t ADD COLUMN c text',
  'CREATE TABLE s.t (id int)',
  'UPDATE s.t SET c = 1',
])('refuses %s without a transaction', (sql) => {
  expect(refusedStatements([sql], WITHOUT_TRANSACTION)).not.toEqual([]);
});

it.each([
  'CREATE TABLE s.t (id int); CREATE INDEX a ON s.t (id); ALTER TABLE s.t ADD CHECK (id > 0)',
  'ALTER TABLE s.t ADD COLUMN c text, ADD d boolean NOT NULL DEFAULT false',
  'ALTER TABLE s.t ADD COLUMN c timestamptz NOT NULL DEFAULT now()',
  'ALTER TABLE s.t ADD CONSTRAINT x CHECK (c IS NOT NULL) NOT VALID',
  'ALTER TABLE s.t VALIDATE CONSTRAINT x; ALTER TABLE s.t ALTER c SET NOT NULL',
  'ALTER TABLE s.t ADD CONSTRAINT x UNIQUE USING INDEX a',
  'ALTER TABLE s.t DROP CONSTRAINT x, ALTER c DROP NOT NULL, ALTER c SET DEFAULT 1',
  'CREATE INDEX a ON ONLY s.t (c)',
  'CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE s.t SET c = 1; END $$',
  "INSERT INTO s.t VALUES ('drop table s.t; drop table s.t') -- drop table s.t",
])('accepts %s', (sql) => {
  expect(refusedStatements([sql], PLAIN)).toEqual([]);
});

it.each([
  'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a ON s.t (c)',
  'DROP INDEX CONCURRENTLY IF EXISTS s.a',
  'ALTER TABLE s.t VALIDATE CONSTRAINT x',
  'UPDATE s.t SET c = 1 WHERE id IN (SELECT id FROM s.t WHERE c IS NULL LIMIT 1000)',
])('accepts %s without a transaction', (sql) => {
  expect(refusedStatements([sql], WITHOUT_TRANSACTION)).toEqual([]);
});

async function migrationsOf(app: string): Promise<MigrationInterface[]> {
  const { createDataSource } = (await import(
    join(workspace, 'dist/apps', app, 'src/data-source.js')
  )) as { createDataSource: (url: string) => DataSource };
  const { migrations } = createDataSource('postgres://unused').options;
  return (migrations as (new () => MigrationInterface)[]).map((Migration) => new Migration());
}

/** The statements of `up` when all its queries return no rows. */
async function statementsOf(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => Promise.resolve(statements.push(sql)).then(() => []);
  try {
    await migration.up({ query } as unknown as QueryRunner);
  } catch {
    // The migration needs the rows that it asked for; the statements after them cannot be read.
    statements.push('LOCK unreadable');
  }
  return statements;
}
