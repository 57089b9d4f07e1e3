/**
 * The runbooks: what they tell people to run is there. Their SQL finds what it should in a database like
 * that of a deployment, promtool accepts their PromQL, and addresses, labels and services exist.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, runMigrations, type TestDatabase } from '@gatehouse/testing';
import { parse, stringify } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { promtool, unknownMetrics } from './metrics.js';

const RUNBOOKS = readdirSync(join(workspace, 'docs/runbooks')).map(
  (name) => `docs/runbooks/${name}`,
);
/** The page of operations has a part that all of them use. */
const SHARED = 'docs/operations.md';
const read = (file: string) => readFileSync(join(workspace, file), 'utf8');

function textOf(page: string): string {
  if (page !== SHARED) return read(page);
  const [part = ''] = /^### Runbook commands$.*?(?=^## )/ms.exec(read(page)) ?? [];
  assert.ok(part);
  return part;
}

/** The code blocks of a language. */
function blocks(language: string): { page: string; code: string }[] {
  const pattern = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms');
  return [SHARED, ...RUNBOOKS].flatMap((page) =>
    [...textOf(page).matchAll(pattern)].map(([, code = '']) => ({ page, code })),
  );
}

describe('the SQL', () => {
  const statements = blocks('sql').map(({ page, code }) => {
    const [start = ''] = code.trim().split('\n');
    return { page, start, code };
  });
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await runMigrations('key-service', database.url);
    await runMigrations('dsync-api', database.url);
    await runMigrations('identity-forms', database.url);
    for (const statement of TROUBLE) await database.query(statement);
  }, 120_000);
  afterAll(() => database.drop());

  it.each(statements)(
    'of $page only reads, and finds something: $start',
    async ({ page, code }) => {
      await database.query('BEGIN READ ONLY');
      const rows = await database.query(code);
      await database.query('ROLLBACK');
      // No session is blocked here.
      if (!code.includes('blocked_by')) assert.notEqual(rows.length, 0, page);
    },
  );
});

it('promtool accepts the PromQL, and each metric is there', () => {
  const expressions = blocks('promql').map(({ code }) => code.trim());
  assert.ok(expressions.length > 0);
  const own = expressions.filter((text) => !text.includes('container_cpu_'));
  assert.deepEqual(unknownMetrics(own), []);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-runbooks-'));
  const file = join(folder, 'rules.yaml');
  const rules = expressions.map((expr, n) => ({ record: `runbook:${n}`, expr }));
  writeFileSync(file, stringify({ groups: [{ name: 'runbooks', rules }] }));
  promtool('check', 'rules', file);
  rmSync(folder, { recursive: true });
});

it('each address is a route of a service', () => {
  const routes = ['dsync-api', 'key-service', 'identity-forms'].flatMap((service) => {
    const { paths } = JSON.parse(read(`apps/${service}/src/${service}.openapi.json`)) as {
      paths: object;
    };
    return Object.keys(paths).flatMap((path) => {
      const route = path.replaceAll(/\{\w+\}/g, '*');
      return [route, `/${service}${route}`];
    });
  });
  const named = blocks('shell').flatMap(({ page, code }) =>
    [...code.matchAll(/"\$ADMIN_URL([^"?]*)/g)].map(([, path = '']) => ({
      page,
      path: path.replaceAll(/\$[A-Z]+/g, '*'),
    })),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter(({ path }) => !routes.includes(path)),
    [],
  );
});

it('each command names services of Compose, and labels and objects of Kubernetes', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: object };
  const folder = 'deploy/kubernetes/base';
  const names = readdirSync(join(workspace, folder))
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => [...read(`${folder}/${file}`).matchAll(/^ {2}name: (\S+)$/gm)])
    .map(([, name]) => name);
  for (const { page, code } of blocks('shell')) {
    const compose =
      /compose (?:exec|logs|ps|restart)(?: --\S+(?:[ =](?:\d+m?|'[^']*'))?| PGOPTIONS='[^']*')* ([a-z][\w-]*)/g;
    for (const [, name = ''] of code.matchAll(compose)) {
      assert.ok(name in services, `${page}: ${name}`);
    }
    const kubernetes = /(?:app\.kubernetes\.io\/name=|\bdeployment\/| service\/)([\w-]+)/g;
    for (const [, name = ''] of code.matchAll(kubernetes)) {
      assert.ok(names.includes(name), `${page}: ${name}`);
    }
  }
});

const DIRECTORY = '01935c7e-0000-7000-8000-000000000001';

/** An endpoint for each thing that a runbook looks for, with an event that waits. */
const TROUBLE = [
  `INSERT INTO dsync.directories (id, name, tenant, product, type)
    VALUES ('${DIRECTORY}', 'Acme', 'acme', 'shop', 'okta-scim-v2')`,
  ...['healthy', 'failing', 'paused'].map(
    (state) => `INSERT INTO dsync.endpoints (source_id, url, state, failing_since, cursor, wanted)
      VALUES ('${DIRECTORY}', 'https://shop.example.com', '${state}', now(), 0, 1)`,
  ),
  `INSERT INTO dsync.events (source_id, type, data) VALUES ('${DIRECTORY}', 'user.created', '{}')`,
  `INSERT INTO dsync.parked_events (source_id, endpoint_id, sequence, event_id, reason, attempts)
    SELECT source_id, id, 1, id, 'the endpoint answered 422', 5 FROM dsync.endpoints LIMIT 1`,
  `INSERT INTO dsync.scim_requests (id, directory_id, at, request_id, method, path, status, duration_ms, attributes)
    VALUES ('${DIRECTORY}', '${DIRECTORY}', now(), 'r', 'GET', '/Users', 200, 1, '{}')`,
  `INSERT INTO keys.endpoints (source_id, url, state, failing_since, cursor)
    VALUES ('${DIRECTORY}', 'https://shop.example.com', 'failing', now(), 0)`,
];
