/**
 * Runs the commands of the README: starts a separate stack, sends the requests of the README and of other
 * pages as they are, runs the demo and stops the stack, of which no process may be left.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { freePortBase } from '#local-stack/ports.mjs';

const LIMIT_MS = 180_000;
/** Pages whose requests need nothing but a stack and a directory. */
const PAGES = ['directory-sync', 'webhooks', 'roles', 'workspace', 'identity-forms'];
/** Pages whose requests follow the quick start of the key service. */
const KEY_PAGES = ['key-service', 'limits', 'credits', 'usage', 'leaks', 'moving-from-unkey'];
/** The key service must not get such a row twice, so it is not the one of docs/key-service.md. */
const UNKEY_ROW = {
  id: 'key_1',
  hash: createHash('sha256').update('an old key').digest('base64'),
  name: 'CI',
  owner_id: 'alice',
  enabled: 1,
};
const pageOf = (file: string) => readFileSync(join(workspace, file), 'utf8');
/** Variables that a reader has set before the examples. */
const VARIABLES = `ADMIN_URL=http://127.0.0.1:8089
credential() { node -p "JSON.parse(fs.readFileSync('.local/stack.json')).credentials.$1"; }
DSYNC_KEY=$(credential dsyncApiKey) ADMIN_KEY=$(credential formsAdminApiKey)
LAST_ID=$(curl -sS "$ADMIN_URL/api/v1/dsync/events/latest" -H "Authorization: Api-Key $DSYNC_KEY" |
  node -p "JSON.parse(fs.readFileSync(0)).data.id")`;

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
    const script = blocksOf('README.md')
      .filter((block) => block.includes('ADMIN_URL'))
      .join('\necho\n');
    const [verified, directory, form] = runBash(script)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
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

  // After the demo, because one of them reads the log from its last event.
  it.each(PAGES)('answers the requests of docs/%s.md', (page) => {
    let directory = '';
    const send = (block: string) => {
      const printed = runBash(`${VARIABLES}\nDIRECTORY=${directory}\n${block}`);
      for (const line of printed.split('\n').filter((each) => each.startsWith('{'))) {
        const { data } = JSON.parse(line) as { data?: { id: string; scim?: object } };
        if (data?.scim) directory = data.id;
      }
    };
    const [create = ''] = blocksOf('docs/directory-sync.md');
    send(create);
    const requests = blocksOf(`docs/${page}.md`).filter((block) => block.includes('curl'));
    expect(requests.length).toBeGreaterThan(0);
    // No run is held that one could decide on.
    for (const block of requests.filter((each) => !each.includes('$RUN'))) send(block);
  });

  it.each(KEY_PAGES)('answers the requests of docs/%s.md', (page) => {
    const [quickStart = ''] = blocksOf('docs/key-service.md');
    const blocks = blocksOf(`docs/${page}.md`).filter(
      (block) => /\b(?:post|curl|npm run import) /.test(block) && block !== quickStart,
    );
    expect(blocks.length).toBeGreaterThan(0);
    // An ellipsis stands for a value of the reader.
    const requests = blocks.filter((block) => !block.includes('…'));
    const variables = 'KEY_SERVICE_URL=$ADMIN_URL KEY_SERVICE_API_KEY=$ADMIN_KEY';
    runBash([quickStart, variables, ...requests].join('\necho\n'), folderOfReader());
  });

  it('imports the file of docs/moving-from-unkey.md', () => {
    const [, file = ''] = /^```csv\n(.*?)^```/ms.exec(pageOf('docs/moving-from-unkey.md')) ?? [];
    const reader = folderOfReader();
    writeFileSync(join(reader, 'keys.csv'), file);
    const printed = runBash('npm run import -- keys --keys keys.csv --apply', reader);
    // docs/key-service.md has imported them before.
    expect(printed).toContain('0 keys imported, 2 were there already, 0 conflicts.');
  });

  it('docs/portal.md creates a session that opens on the gateway, and ends it', async () => {
    const [create = '', manage = '', ...more] = blocksOf('docs/portal.md');
    expect(more).toEqual([]);
    const created = JSON.parse(runBash(create)) as { url: string };
    const page = await fetch(created.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')]);
    const opened = await fetch(created.url, { method: 'POST', redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const keys = new URL(opened.headers.get('location') ?? '', created.url);
    const look = () => fetch(keys, { headers: { cookie } });
    expect((await look()).status).toBe(200);
    const again = `CREATED='${JSON.stringify(created)}'`;
    const [credentials = ''] = create.split('\n\n');
    const answers = runBash(`${credentials}\n${again}\n${manage}`).split('\n').filter(Boolean);
    const [list, revoked] = answers.map((line) => JSON.parse(line) as object);
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

  /** Where a reader has a clone, an application beside it, and an export of Unkey. */
  function folderOfReader(): string {
    const reader = join(folder, 'reader', 'gatehouse');
    mkdirSync(join(folder, 'reader', 'my-application'), { recursive: true });
    mkdirSync(reader, { recursive: true });
    writeFileSync(join(reader, 'keys.jsonl'), `${JSON.stringify(UNKEY_ROW)}\n`);
    return reader;
  }

  /** Runs commands of a page on this stack. A request that is refused fails. */
  function runBash(script: string, cwd = workspace): string {
    const own = script
      .replaceAll('npm run', `npm --prefix ${workspace} run`)
      .replaceAll(/curl (-sSG?)/g, "curl $1 --fail-with-body --write-out '\\n'")
      .replaceAll('127.0.0.1:8089', `127.0.0.1:${portBase + 9}`)
      .replaceAll('.local/stack.json', join(folder, 'stack.json'));
    return run('bash', ['-euo', 'pipefail', '-c', own], cwd);
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

/** The commands of a page. */
function blocksOf(file: string): string[] {
  return [...pageOf(file).matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block);
}
