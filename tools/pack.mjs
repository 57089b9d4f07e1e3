// @ts-check
// `npm run pack`: builds the npm packages in .local/, or in another folder.
import { join } from 'node:path';
import { buildProjects } from './local-stack/build.mjs';
import { runMain } from './local-stack/fault.mjs';
import { workspace } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { prepare } from './local-stack/prepare.mjs';

await runMain(async () => {
  const options = /** @type {const} */ ({ to: { type: 'string' } });
  const usage = { usage: 'npm run pack [-- --to FOLDER]' };
  const { values } = readOptions(process.argv.slice(2), options, usage);
  await prepare(buildProjects);
  // It needs packages that may not have been there when this process began.
  const { pack } = await import('./npm-package/pack.mjs');
  const { packClient } = await import('./npm-package/pack-client.mjs');
  const { packDirectorySync } = await import('./npm-package/directory-sync/pack.mjs');
  const folder = values.to ?? join(workspace, '.local');
  const packages = [pack(folder), packClient(folder), await packDirectorySync(folder)];
  process.stdout.write(`${packages.join('\n')}\n`);
});
