import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages that an entry is measured against into `.local/peers/<name>`, apart from
 * the project's own dependencies and without running any install script. Returns that folder.
 */
export function installPeers(
  root: string,
  name: string,
  dependencies: Record<string, string>,
): string {
  const folder = join(root, '.local', 'peers', name);
  const manifestPath = join(folder, 'package.json');
  const packages = Object.keys(dependencies).join(', ');
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies })}\n`;
  const isInstalled =
    existsSync(join(folder, 'node_modules')) && readFileSync(manifestPath, 'utf8') === manifest;
  if (isInstalled || packages === '') return folder;

  mkdirSync(folder, { recursive: true });
  process.stderr.write(`Installing ${packages} to measure against ...\n`);
  writeFileSync(manifestPath, manifest);
  const { status, error } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0) {
    writeFileSync(manifestPath, '{}\n');
    throw new Error(`npm could not install ${packages} (${error?.message ?? status})`);
  }
  return folder;
}
