/** The completion scripts, in the shells that they are for. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { layoutAt, makeFolders, workspace } from '#local-stack/layout.mjs';
import { aptInstall, findProgram } from '#local-stack/programs.mjs';
import { CommandLine } from './command-line.js';

/** How a shell is asked what may follow a line, whose last word is not complete. */
const ASK = {
  bash: (script: string, words: string[]) => `${script}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}
_gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh that complete need an editor; this one shows what they are given.
  zsh: (script: string, words: string[]) => `compdef() {}
_describe() { local each; for each in "\${(@P)2}"; do if [[ $each == ${words.at(-1)}* ]]; then print -r -- "\${each%%:*}"; fi; done }
${script}
words=(${words.join(' ')}); CURRENT=${words.length}; _gatehouse`,
  fish: (script: string, words: string[]) => `${script}
complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''`,
};

let cli: CommandLine;
beforeAll(() => (cli = new CommandLine()));
afterAll(() => cli.close());

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  let program: string | undefined;
  let script = '';
  beforeAll(async () => {
    program = await provided(shell);
    const warning = `SKIPPED: completion of ${shell}, which is missing\n`;
    if (program === undefined) process.stderr.write(warning);
    script = (await cli.run('completion', shell)).stdout;
  });

  it.each([
    ['gatehouse ke', ['keys']],
    ['gatehouse keys r', ['revoke', 'rotate']],
    ['gatehouse --json keys rev', ['revoke']],
    ['gatehouse keys list --sta', ['--status']],
    ['gatehouse forms schema p', ['push']],
    ['gatehouse apply --dr', ['--dry-run']],
  ])('completes "%s" to %j', (line, expected) => {
    if (program === undefined) return;
    const input = ASK[shell](script, line.split(' '));
    const { stdout, stderr } = spawnSync(program, ['-c', input], { encoding: 'utf8' });
    expect([stdout.trim().split('\n').sort(), stderr]).toEqual([expected, '']);
  });
});

/** Installs a shell that is missing, where that is possible. */
async function provided(shell: string): Promise<string | undefined> {
  const known = findProgram([shell]);
  if (known !== undefined) return known;
  const layout = layoutAt(join(workspace, '.local', 'completion'));
  makeFolders(layout);
  const { signal } = new AbortController();
  await aptInstall({ names: [shell], debian: shell }, { layout, signal }).catch(() => undefined);
  return findProgram([shell]);
}
