// @ts-check
// `npm run -s gatehouse -- keys list`: the command line, as `npm start` has built it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildProjects } from './local-stack/build.mjs';
import { runMain } from './local-stack/fault.mjs';
import { workspace } from './local-stack/layout.mjs';
import { prepare } from './local-stack/prepare.mjs';

const bundle = join(workspace, 'dist', 'bundles', 'cli', 'gatehouse.cjs');
await runMain(async () => {
  if (!existsSync(bundle)) await prepare(buildProjects);
  // npm runs scripts in the clone, and paths of arguments begin where the reader is.
  process.chdir(process.env['INIT_CWD'] ?? '.');
  await import(pathToFileURL(bundle).href);
});
