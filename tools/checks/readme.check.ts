/**
 * Runs the commands of the README: starts a separate stack, sends the requests of
 * the README as they are, runs the demo and stops the stack, of which no process may be left.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { freePortBase } from '#local-stack/ports.mjs';

const LIMIT_MS = 180_000;
const readme = readFileSync(join(workspace, 'README.md'), 'utf8');

it('the README has fewer than 200 lines', () => {
  expect(readme.split('\n').length).toBeLessThan(200);
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
    const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
    const script = blocks
      .filter((block) => block.includes('ADMIN_URL'))
      .join('\necho\n')
      .replaceAll('curl -sS', 'curl -sS --fail-with-body')
      .replaceAll('127.0.0.1:8089', `127.0.0.1:${portBase + 9}`)
      .replaceAll('.local/stack.json', join(folder, 'stack.json'));
    const [verified, directory, form] = run('bash', ['-euo', 'pipefail', '-c', script])
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
      run(process.execPath, ['tools/run.mjs', 'demo']);
    },
    LIMIT_MS,
  );

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

  /** Runs a program that must succeed, with the folder of this stack. */
  function run(program: string, args: string[]): string {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      GATEHOUSE_LOCAL_FOLDER: folder,
      NODE_OPTIONS: '',
    };
    for (const name of ['DATABASE_URL', 'REDIS_URL']) delete env[name];
    const options = { cwd: workspace, encoding: 'utf8', env, timeout: LIMIT_MS } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  }
});
