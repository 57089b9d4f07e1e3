// @ts-check
// `node tools/run.mjs <tool> [arguments]`: runs a tool that is written in TypeScript. Installs the
// packages and builds the tools first, then calls `main(arguments)` of dist/tools/<tool>/main.js.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTools } from './local-stack/build.mjs';
import { runMain } from './local-stack/fault.mjs';
import { workspace } from './local-stack/layout.mjs';
import { prepare } from './local-stack/prepare.mjs';

const [tool = '', ...args] = process.argv.slice(2);

await runMain(async () => {
  await prepare(buildTools);
  const { main } = await import(
    pathToFileURL(join(workspace, 'dist', 'tools', tool, 'main.js')).href
  );
  return main(args);
});
