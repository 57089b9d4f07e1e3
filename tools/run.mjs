// @ts-check
// `node tools/run.mjs <folder> [arguments]`: runs a program for developers that is written in
// TypeScript. Installs the packages and builds, then calls `main(arguments)` of dist/<folder>/main.js.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTools } from './local-stack/build.mjs';
import { runMain } from './local-stack/fault.mjs';
import { workspace } from './local-stack/layout.mjs';
import { prepare } from './local-stack/prepare.mjs';

const [folder = '', ...args] = process.argv.slice(2);

await runMain(async () => {
  await prepare(buildTools);
  const { main } = await import(pathToFileURL(join(workspace, 'dist', folder, 'main.js')).href);
  return main(args);
});
