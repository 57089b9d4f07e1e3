// @ts-check
/**
 * What the README tells a newcomer to type, typed: a stack of its own is started, the requests of
 * "One request to each" are sent as they stand there, the demo runs, the stack stops, and nothing
 * of it is left.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePortBase } from '../local-stack/ports.mjs';
import { check, finish } from './check.mjs';
import { root } from './settings.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

await check('the README has fewer than 200 lines', () => {
  assert.ok(readme.split('\n').length < 200);
});

await onOwnStack(async ({ folder, portBase }) => {
  await check('the README’s requests get the answers that it promises', () => {
    const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
    const script = blocks
      .filter((block) => block.includes('GATEWAY'))
      .join('\necho\n')
      .replaceAll('curl -sS', 'curl -sS --fail-with-body')
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${portBase}`)
      .replaceAll('.local/stack.json', join(folder, 'stack.json'));
    const { status, stdout, stderr } = run('bash', ['-euo', 'pipefail', '-c', script]);
    assert.equal(status, 0, stdout + stderr);
    const [verified, directory, form] = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    assert.equal(verified.is_valid, true);
    assert.equal(verified.actor_id, 'alice');
    assert.equal(directory.data.type, 'okta-scim-v2');
    assert.ok(directory.data.scim.secret);
    assert.equal(form.traits.email, 'ada@example.com');
    assert.equal(form.traits.age, 36);
    assert.equal(form.traits.newsletter, true);
  });
  await check('npm run demo passes', () => {
    const { status, stdout, stderr } = run(process.execPath, ['tools/run.mjs', 'demo'], folder);
    assert.equal(status, 0, stdout + stderr);
  });
});

finish();

/** @param {(stack: { folder: string, portBase: number }) => Promise<void>} work */
async function onOwnStack(work) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'));
  const portBase = await freePortBase();
  try {
    await check('npm start -- --detach brings everything up', () => {
      const args = ['tools/start.mjs', '--detach', '--port-base', String(portBase)];
      const { status, stdout, stderr } = run(process.execPath, args, folder);
      assert.equal(status, 0, stdout + stderr);
    });
    await work({ folder, portBase });
  } finally {
    const record = join(folder, 'stack.json');
    const services = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).services : {};
    await check('npm run stop ends it, and no process is left', async () => {
      const { status, stdout, stderr } = run(process.execPath, ['tools/stop.mjs'], folder);
      assert.equal(status, 0, stdout + stderr);
      const { stdout: processes } = run('ps', ['-eo', 'args']);
      assert.deepEqual(
        processes.split('\n').filter((line) => line.includes(folder)),
        [],
      );
      for (const { url } of Object.values(services)) {
        await assert.rejects(fetch(url), `${url} still answers`);
      }
    });
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} [folder] of the stack
 */
function run(program, args, folder) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, GATEHOUSE_LOCAL_FOLDER: folder };
  for (const name of ['DATABASE_URL', 'REDIS_URL']) delete env[name];
  return spawnSync(program, args, { cwd: root, encoding: 'utf8', env, timeout: 180_000 });
}
