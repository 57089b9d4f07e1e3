/**
 * Runs the commands of the documentation: starts a separate stack, runs the `sh` blocks of each page from
 * the first line to the last, runs the demo and stops the stack, of which no process may be left. Blocks
 * for other places, such as a cluster, are marked `shell`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { freePortBase, freeStorePort } from '#local-stack/ports.mjs';
import { until } from '#local-stack/until.mjs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const LIMIT_MS = 600_000;
const pageOf = (file: string) => readFileSync(join(workspace, file), 'utf8');
const PAGES = readdirSync(join(workspace, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name}`)
  .filter((name) => name.endsWith('.md') && blocksOf(name).length > 0);
/** Answers of the README and of docs/portal.md are looked at. */
const OTHER_PAGES = PAGES.filter((page) => page !== 'docs/portal.md');
/** Files that readers of the pages about imports have. */
const EXPORTS = {
  // The key service must not get such a row twice, so it is not the one of docs/key-service.md.
  'keys.jsonl': JSON.stringify({
    id: 'key_1',
    hash: createHash('sha256').update('an old key').digest('base64'),
    name: 'CI',
    owner_id: 'alice',
    enabled: 1,
  }),
  'keys.csv': 'raw_key,name,actor_id\nan-old-key-of-talos,CI,alice\n',
  'schemas.json': JSON.stringify([
    {
      id: 'person',
      schema: {
        type: 'object',
        properties: {
          traits: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
        },
      },
    },
  ]),
  'identities.jsonl': JSON.stringify({
    id: randomUUID(),
    schema_id: 'person',
    state: 'active',
    traits: { email: 'ada@example.com' },
  }),
};
/** Refused requests fail, and answers are lines. Programs run in the clone, wherever the reader is. */
const STRICT = `set -euo pipefail
curl() { command curl --fail-with-body --write-out '\\n' "$@"; }
npm() { command npm --prefix '${workspace}' "$@"; }`;

it('the README has fewer than 200 lines', () => {
  expect(pageOf('README.md').split('\n').length).toBeLessThan(200);
});

describe('a stack started as the README says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'));
  let portBase: number;

  beforeAll(async () => {
    // Root runs PostgreSQL as another user, who must be able to enter the folder.
    chmodSync(folder, 0o755);
    portBase = await freePortBase();
    run(process.execPath, ['tools/start.mjs', '--detach', '--port-base', String(portBase)]);
  }, LIMIT_MS);

  afterAll(() => {
    run(process.execPath, ['tools/stop.mjs']);
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers the requests of the README as it promises', () => {
    const [verified, directory, form] = answersOf(runBlocks(blocksOf('README.md')));
    expect(verified).toMatchObject({ is_valid: true, actor_id: 'alice' });
    expect(directory).toMatchObject({
      data: { type: 'okta-scim-v2', scim: { secret: expect.stringMatching(/./) } },
    });
    expect(form).toMatchObject({
      traits: { email: 'ada@example.com', age: 36, newsletter: true },
    });
  });

  it(
    'passes npm run demo',
    () => {
      run(process.execPath, ['tools/run.mjs', 'tools/demo']);
    },
    LIMIT_MS,
  );

  it.each(OTHER_PAGES)(
    'runs the commands of %s',
    (page) => {
      runBlocks(blocksOf(page), page.startsWith('docs/moving-from-') ? EXPORTS : undefined);
    },
    LIMIT_MS,
  );

  it(
    'docs/protect-an-api.md protects programs, and nginx in front of one',
    async () => {
      const { clientKey, env } = keysOf('docs/protect-an-api.md');
      const programs = blocksOf('docs/protect-an-api.md', 'js').filter(listens);
      expect(programs).toHaveLength(2);
      for (const program of programs) {
        await whileRunning(program, env, async (url) => {
          const ask = (headers: Record<string, string>) => fetch(`${url}/orders`, { headers });
          const refused = await ask({ 'x-api-key': `${clientKey}x` });
          expect([refused.status, (await ask({})).status]).toEqual([401, 401]);
          const accepted = await ask({ authorization: `Bearer ${clientKey}` });
          expect([accepted.status, await accepted.json()]).toEqual([200, { actor: 'alice' }]);
          expect(accepted.headers.get('ratelimit')).toMatch(/r=9\d/);
        });
      }
      // The commands of the page have told nginx to read its configuration again.
      const orders = `http://127.0.0.1:${portBase}/orders/`;
      await until(async () => (await fetch(orders)).status === 401);
    },
    LIMIT_MS,
  );

  it(
    'docs/protect-an-mcp-server.md protects an MCP server, whose tool knows its caller',
    async () => {
      const { clientKey, env } = keysOf('docs/protect-an-mcp-server.md');
      const [program = ''] = blocksOf('docs/protect-an-mcp-server.md', 'js');
      await whileRunning(program, env, async (url) => {
        const callWith = async (key: string) => {
          const client = new Client({ name: 'reader', version: '1.0.0' });
          const requestInit = { headers: { authorization: `Bearer ${key}` } };
          const address = new URL(`${url}/mcp`);
          await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
          const { content } = await client.callTool({ name: 'whoami' });
          await client.close();
          return content;
        };
        expect(await callWith(clientKey)).toEqual([{ type: 'text', text: 'alice' }]);
        await expect(callWith(`${clientKey}x`)).rejects.toThrow();
        const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
        expect(await metadata.json()).toMatchObject({ scopes_supported: ['tools:use'] });
      });
    },
    LIMIT_MS,
  );

  it('imports the file of docs/moving-from-unkey.md', () => {
    const [, file = ''] = /^```csv\n(.*?)^```/ms.exec(pageOf('docs/moving-from-unkey.md')) ?? [];
    const printed = runBlocks(['npm run import -- keys --keys keys.csv --apply'], {
      'keys.csv': file,
    });
    // docs/key-service.md has imported them before.
    expect(printed).toContain('0 keys imported, 2 were there already; 0 conflicts.');
  });

  it('docs/portal.md creates a session that opens on the gateway, and ends it', async () => {
    const [create = '', manage = '', ...more] = blocksOf('docs/portal.md');
    expect(more).toEqual([]);
    const [created] = answersOf(runBlocks([create])) as [{ url: string }];
    const page = await fetch(created.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')]);
    const opened = await fetch(created.url, { method: 'POST', redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const keys = new URL(opened.headers.get('location') ?? '', created.url);
    const look = () => fetch(keys, { headers: { cookie } });
    expect((await look()).status).toBe(200);
    const again = `eval "$(npm run -s env)"\nCREATED='${JSON.stringify(created)}'`;
    const [list, revoked] = answersOf(runBlocks([again, manage]));
    expect(list).toMatchObject({ portal_sessions: [{ actor_id: 'user_42', state: 'OPEN' }] });
    expect(revoked).toMatchObject({ actor_id: 'user_42', state: 'REVOKED' });
    expect((await look()).status).toBe(410);
  });

  it('leaves no process after npm run stop', async () => {
    const record = JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8')) as {
      services: Record<string, { url: string }>;
    };
    run(process.execPath, ['tools/stop.mjs']);
    const processes = run('ps', ['-eo', 'args']).split('\n');
    expect(processes.filter((line) => line.includes(folder))).toEqual([]);
    for (const { url } of Object.values(record.services)) {
      await expect(fetch(url)).rejects.toThrow();
    }
    expect(existsSync(join(folder, 'stack.json'))).toBe(false);
  });

  /** The key of a client that a page issues, and the variables for the program that it protects. */
  function keysOf(page: string): { clientKey: string; env: NodeJS.ProcessEnv } {
    const [variables = ''] = blocksOf(page);
    const printed = runBlocks([variables, 'echo "$CLIENT_KEY $GATEHOUSE_KEY $GATEHOUSE_URL"']);
    const [clientKey = '', GATEHOUSE_KEY, GATEHOUSE_URL] = printed.trim().split(' ');
    return { clientKey, env: { GATEHOUSE_KEY, GATEHOUSE_URL } };
  }

  /** Runs a program of a page, with the client as it was built. */
  async function whileRunning(
    program: string,
    env: NodeJS.ProcessEnv,
    use: (url: string) => Promise<void>,
  ): Promise<void> {
    const reader = folderWith({ 'program.js': program, 'package.json': '{"type":"module"}' });
    const client = join(reader, 'node_modules/@gatehouse/client');
    if (!existsSync(client)) {
      symlinkSync(join(workspace, 'node_modules'), join(folder, 'node_modules'));
      mkdirSync(client, { recursive: true });
      symlinkSync(join(workspace, 'dist/libs/client/src'), join(client, 'src'));
      writeFileSync(join(client, 'package.json'), '{"exports":{"./*":"./src/*/index.js"}}');
    }
    const port = await freeStorePort();
    const url = `http://localhost:${port}`;
    const child = spawn(process.execPath, ['program.js'], {
      cwd: reader,
      env: { ...env, PORT: String(port) },
      stdio: 'inherit',
    });
    try {
      await until(() => fetch(url).then(Boolean, () => child.exitCode !== null));
      await use(url);
    } finally {
      child.kill();
    }
  }

  /** Runs commands of a page on this stack, in the clone or in a folder with files of a reader. */
  function runBlocks(blocks: string[], files?: Record<string, string>): string {
    const script = [STRICT, ...blocks].join('\n');
    return run('bash', ['-c', script], files === undefined ? workspace : folderWith(files));
  }

  function folderWith(files: Record<string, string>): string {
    const reader = join(folder, 'reader');
    mkdirSync(reader, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(reader, name), text);
    return reader;
  }

  /** Runs a program that must succeed, with the folder of this stack. */
  function run(program: string, args: string[], cwd = workspace): string {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      GATEHOUSE_LOCAL_FOLDER: folder,
      NODE_OPTIONS: '',
    };
    for (const name of ['DATABASE_URL', 'REDIS_URL']) delete env[name];
    const options = { cwd, encoding: 'utf8', env, timeout: LIMIT_MS } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  }
});

/** The commands of a page, or its blocks of another language. */
function blocksOf(file: string, language = 'sh'): string[] {
  const pattern = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms');
  return [...pageOf(file).matchAll(pattern)].map(([, block = '']) => block);
}

/** Whether a block is a program, which serves on `PORT`. */
function listens(block: string): boolean {
  return block.includes('listen(');
}

/** The lines that are JSON objects. */
function answersOf(printed: string): unknown[] {
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);
}
