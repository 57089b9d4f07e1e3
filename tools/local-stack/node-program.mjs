// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './commands.mjs';
import { toolsFolder } from './layout.mjs';
import { withLock } from './lock.mjs';

/** The version of Node.js that the image contains. */
export const IMAGE_NODE = '24';

/**
 * Downloads another version of Node.js, and an npm for it, from the npm registry.
 * @param {string} major such as 24
 * @param {import('./programs.mjs').ProvisionContext} context
 * @returns {Promise<{ program: string, npm: string }>} the executable, and the folder of npm
 */
export async function provideNode(major, { layout, signal }) {
  const folder = join(toolsFolder, `node-${major}`);
  const build = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', build, 'bin', 'node');
  const npm = join(folder, 'node_modules', 'npm');
  await withLock(
    join(toolsFolder, 'install.lock'),
    async () => {
      if (existsSync(program) && existsSync(npm)) return;
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
      const args = ['install', '--prefix', folder, ...options, `${build}@${major}`, 'npm@11'];
      await mustRun(layout, `node-${major}`, { program: 'npm', args }, { signal });
    },
    { signal },
  );
  return { program, npm };
}
