/** American spelling, and no word that the guide to comments rules out: cspell.json. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

const CSPELL = join(workspace, 'node_modules/cspell/bin.mjs');

it('words are spelled the American way, and the project’s own are in docs/words.txt', () => {
  const run = spawnSync(process.execPath, [CSPELL, '--no-progress', '--no-summary'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  expect(run.stdout + run.stderr).toBe('');
  expect(run.status).toBe(0);
});

it('the words of docs/words.txt are sorted, each once', () => {
  const words = readFileSync(join(workspace, 'docs/words.txt'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  expect(words).toEqual([...new Set(words)].sort());
});
