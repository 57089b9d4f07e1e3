// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs what an entry is measured against into `.local/peers/<entry>`, apart from the
 * project's own dependencies and without running any install script.
 *
 * @param {string} root
 * @param {string} name the entry
 * @param {Record<string, string>} packages name to exact version
 * @returns {string} the folder that holds node_modules
 */
export function installPeers(root, name, packages) {
  const folder = join(root, '.local', 'peers', name);
  const manifestPath = join(folder, 'package.json');
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies: packages })}\n`;
  const isInstalled =
    existsSync(join(folder, 'node_modules')) &&
    existsSync(manifestPath) &&
    readFileSync(manifestPath, 'utf8') === manifest;
  if (isInstalled || Object.keys(packages).length === 0) return folder;

  mkdirSync(folder, { recursive: true });
  process.stderr.write(`Installing ${Object.keys(packages).join(', ')} to measure against ...\n`);
  writeFileSync(manifestPath, manifest);
  const { status, error } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0) {
    writeFileSync(manifestPath, '{}\n');
    throw new Error(`npm could not install the peers of ${name} (${error?.message ?? status})`);
  }
  return folder;
}
