/** Each command of package.json prints its usage with `--help`, and ends with 0. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

const LIMIT_MS = 600_000;
const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const commands = Object.entries(scripts).map(([name, script]) => ({ name, script }));

it.each(commands)(
  'npm run $name -- --help',
  ({ name, script }) => {
    const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '', REDIS_URL: '' };
    const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', name, '--', '--help'], {
      cwd: workspace,
      encoding: 'utf8',
      env,
    });
    expect({ status, errors: /✗/.test(stdout + stderr) }).toEqual({ status: 0, errors: false });
    // The others are programs of other authors.
    if (script.startsWith('node ')) expect(stdout).toMatch(/^Usage: /);
  },
  LIMIT_MS,
);

it(
  'import prints it with a source, too',
  () => {
    const args = ['run', '-s', 'import', '--', 'keys', '--help'];
    const { status, stdout } = spawnSync('npm', args, { cwd: workspace, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Usage: npm run import/)]);
  },
  LIMIT_MS,
);
