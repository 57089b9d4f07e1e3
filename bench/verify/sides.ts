/** The key service as a side of a row: one admin key, the known HMAC secret, a filled table. */
import assert from 'node:assert/strict';
import { service } from '../runner/define.js';
import {
  type BenchContext,
  type HttpSide,
  type Load,
  type RunningServer,
} from '../runner/types.js';
import { fillKeys, HMAC_SECRET, type KeyCounts } from './keys.js';

export const ADMIN_KEY = 'bench-admin-key-0123456789abcdef';
export const VERIFY_BATCH = '/v2alpha1/admin/apiKeys:batchVerify';
export const JSON_HEADERS = {
  'content-type': 'application/json',
  authorization: `Bearer ${ADMIN_KEY}`,
};

export interface FilledDatabase {
  url: string;
  secrets: string[];
  keyIds: string[];
}

type Env = Record<string, string>;

const filled = new WeakMap<BenchContext, Map<string, Promise<FilledDatabase>>>();

/** A migrated database with keys; the rows of a run share it. */
export function filledDatabase(context: BenchContext, counts: KeyCounts): Promise<FilledDatabase> {
  const name = ['keys', counts.keys, counts.secrets, ...(counts.limit ? [counts.limit] : [])].join(
    '-',
  );
  const fill = async () => {
    const url = await context.databaseUrl(name);
    await context.migrate('key-service', url);
    context.log(`filling ${name}`);
    return { url, ...(await fillKeys(url, counts)) };
  };
  const ofRun = filled.get(context) ?? new Map<string, Promise<FilledDatabase>>();
  filled.set(context, ofRun);
  const database = ofRun.get(name) ?? fill();
  ofRun.set(name, database);
  return database;
}

export function keyService(
  counts: KeyCounts,
  prepare: (server: RunningServer, database: FilledDatabase) => Promise<Load> | Load,
  { name, env }: { name?: string; env?: Env | ((context: BenchContext) => Promise<Env>) } = {},
): HttpSide {
  return service('key-service', {
    name,
    env: async (context) => ({
      DATABASE_URL: (await filledDatabase(context, counts)).url,
      ADMIN_API_KEYS: ADMIN_KEY,
      ENCRYPTION_KEYS: Buffer.alloc(32, 'e').toString('base64'),
      HMAC_SECRETS: HMAC_SECRET,
      ...(typeof env === 'function' ? await env(context) : env),
    }),
    prepare: async (server, context) => prepare(server, await filledDatabase(context, counts)),
  });
}

/** Verifies these credentials in turn. */
export function verifications(
  credentials: readonly string[],
  headers: Record<string, string> = {},
): Load {
  return {
    requests: credentials.map((credential) => ({
      method: 'POST',
      path: '/v2alpha1/admin/apiKeys:verify',
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify({ credential }),
    })),
    check: ({ status, body }) => {
      assert.equal(status, 200);
      const { is_valid, actor_id, scopes } = JSON.parse(body) as Record<string, unknown>;
      assert.equal(is_valid, true);
      assert.match(String(actor_id), /^bench-/);
      assert.deepEqual(scopes, ['orders:read', 'orders:write']);
    },
  };
}

export async function post<Body>({ url }: RunningServer, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Body;
}
