/** Installs the real Ory Polis from npm, once for a clone, in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from '#local-stack/layout.mjs';

const VERSION = '26.2.0';

/** @returns the folder whose node_modules has the package */
export function installPolis(): string {
  const folder = join(toolsFolder, `polis-${VERSION}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const dependencies = { '@boxyhq/saml-jackson': VERSION };
  writeFileSync(join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies }));
  // Without install scripts: PostgreSQL needs nothing that is compiled.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', args, { cwd: fresh, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another run was faster.
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
