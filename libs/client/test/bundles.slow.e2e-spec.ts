/** Entries as a bundler sees them, and one of them in the runtime of Cloudflare Workers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ADMIN_KEY, type KeyService, startKeyService } from './key-service.js';

const GZIP_BYTES_MAX = 12_000;
const ENTRIES = [
  'fastify',
  'express',
  'hono',
  'nest',
  'fetch',
  'mcp',
  'macaroon',
  'webhooks',
  'directory',
  'postgres-store',
];
/** Parts of several entries. */
const SHARED = 'protect|connection|webhooks';
const { default: WORKERD } = createRequire(import.meta.url)('workerd') as { default: string };
/** The Worker of the page, which verifies tokens offline, too. */
const WORKER = /^```js\n(import { env } .*?)^```/ms
  .exec(readFileSync('docs/protect-an-api.md', 'utf8'))?.[1]
  ?.replace('scopes:', 'offline: true, onError() {}, scopes:');

/** Without a platform, an import of a module of Node.js fails. */
async function bundle(code: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: 'libs/client', loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    external: ['@nestjs/common', 'cloudflare:workers'],
  });
  return { text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) };
}

const bundles = await Promise.all(
  ENTRIES.map(async (entry) => {
    const { text, inputs } = await bundle(`export * from '@gatehouse/client/${entry}'`);
    return { entry, inputs, bytes: text.length, gzipBytes: gzipSync(text).length };
  }),
);

it.each(bundles)('$entry: $gzipBytes bytes with gzip, of $bytes', ({ gzipBytes }) => {
  expect(gzipBytes).toBeLessThan(GZIP_BYTES_MAX);
});

it.each(bundles)(
  '$entry brings no other entry, and no more of jose than it uses',
  ({ entry, inputs }) => {
    const own = new RegExp(
      `^(?:<stdin>|libs/client/src/(?:${entry}|${SHARED})/|node_modules/jose/)`,
    );
    expect(inputs.filter((input) => !own.test(input))).toEqual([]);
    expect(inputs.filter((input) => /jose.*(?:jwe|sign|encrypt|generate)/.test(input))).toEqual([]);
  },
);

describe('a Worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-worker-'));
  let keys: KeyService;
  let workerd: ChildProcess;
  let url: string;

  beforeAll(async () => {
    keys = await startKeyService();
    writeFileSync(join(folder, 'worker.js'), (await bundle(WORKER ?? '')).text);
    writeFileSync(join(folder, 'config.capnp'), configuration(keys.connection.url));
    workerd = spawn(WORKERD, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    const [line] = (await once(createInterface(workerd.stdio[3] as Readable), 'line')) as [string];
    url = `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}/orders`;
  });
  afterAll(async () => {
    workerd.kill();
    await keys.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (credential?: string, headers: Record<string, string> = {}) =>
    fetch(url, {
      headers: { connection: 'close', ...(credential && { 'x-api-key': credential }), ...headers },
    });

  it('admits keys and, offline, tokens, and passes the state of limits on', async () => {
    const fields = { scopes: ['orders:read'], rate_limit_policy: { quota: '10', window: '1h' } };
    const admitted = await ask((await keys.issue(fields)).secret);
    expect([admitted.status, await admitted.json()]).toEqual([200, { actor: 'alice' }]);
    expect(admitted.headers.get('ratelimit')).toContain('r=9');
    const token = await keys.token(fields);
    expect((await ask(token)).status).toBe(200);
    expect((await ask(`${token.slice(0, -8)}AAAAAAAA`)).status).toBe(401);
  });

  it('refuses with a problem', async () => {
    const { secret } = await keys.issue();
    const bound = await keys.issue({
      scopes: ['orders:read'],
      ip_restriction: { allowed_cidrs: ['203.0.113.0/24'] },
    });
    for (const [status, credential] of [
      [401],
      [401, 'unknown-key'],
      [401, 'unknown-key'],
      [403, secret],
    ] as const) {
      const response = await ask(credential);
      expect([response.status, await response.json()]).toEqual([
        status,
        expect.objectContaining({ status }),
      ]);
    }
    const at = (address: string) => ask(bound.secret, { 'cf-connecting-ip': address });
    expect([(await at('203.0.113.7')).status, (await at('192.0.2.7')).status]).toEqual([200, 403]);
  });

  it('503 without Gatehouse, and tokens are verified as before', async () => {
    const token = await keys.token({ scopes: ['orders:read'] });
    expect((await ask(token)).status).toBe(200);
    await keys.service.stop();
    expect((await ask('another-unknown-key')).status).toBe(503);
    expect((await ask(token)).status).toBe(200);
  });
});

function configuration(gatehouseUrl: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
      bindings = [
        (name = "GATEHOUSE_URL", text = "${gatehouseUrl}"),
        (name = "GATEHOUSE_KEY", text = "${ADMIN_KEY}")
      ],
      globalOutbound = "loopback"
    )),
    (name = "loopback", network = (allow = ["local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")]
);`;
}
