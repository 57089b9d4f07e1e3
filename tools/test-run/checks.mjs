// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../local-stack/commands.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { lastLines } from '../local-stack/processes.mjs';

const limitMs = 5 * 60_000;
const bin = (/** @type {string} */ name) => join(workspace, 'node_modules', '.bin', name);
const cache = (/** @type {string} */ name) => join('.local', 'cache', name);

/**
 * The checks that are no Nx targets: each is a Node program that exits with 0 when it passes.
 * @returns {{ name: string, args: string[] }[]}
 */
export function staticChecks() {
  const own = join(workspace, 'tools', 'checks');
  return [
    {
      name: 'format',
      args: [
        bin('prettier'),
        '--check',
        '.',
        '--log-level=warn',
        '--cache',
        '--cache-strategy=content',
        `--cache-location=${cache('prettier')}`,
      ],
    },
    ...readdirSync(own)
      .filter((file) => file.endsWith('.check.mjs'))
      .sort()
      .map((file) => ({ name: file.replace('.check.mjs', ''), args: [join(own, file)] })),
  ];
}

/**
 * @param {{ name: string, args: string[] }} check
 * @param {{ layout: import('../local-stack/layout.mjs').Layout, signal: AbortSignal,
 *   environment: NodeJS.ProcessEnv }} context
 * @returns {Promise<string | undefined>} undefined when it passed, else what it said
 */
export async function runCheck({ name, args }, { layout, signal, environment }) {
  const command = { program: process.execPath, args, cwd: workspace, env: environment };
  const expiry = AbortSignal.timeout(limitMs);
  const id = name.replaceAll(' ', '-');
  const { code, expired, logFile } = await runCommand(layout, id, command, { signal, expiry });
  if (code === 0) return undefined;
  return `${expired ? `took longer than ${limitMs / 60_000} minutes\n` : ''}${lastLines(logFile, 60)}`;
}
