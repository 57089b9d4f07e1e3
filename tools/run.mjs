// @ts-check
// `node tools/run.mjs <tool> [arguments]`: runs a tool that is written in TypeScript. Installs the
// packages and builds the tools first, then calls `main(arguments)` of dist/tools/<tool>/main.js.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTools } from './local-stack/build.mjs';
import { runMain } from './local-stack/fault.mjs';
import { installPackages } from './local-stack/install.mjs';
import { listenForInterruption } from './local-stack/interruption.mjs';
import { layoutAt, makeFolders, workspace } from './local-stack/layout.mjs';
import { Progress } from './local-stack/progress.mjs';

const [tool = '', ...args] = process.argv.slice(2);

await runMain(async () => {
  await prepare();
  const { main } = await import(
    pathToFileURL(join(workspace, 'dist', 'tools', tool, 'main.js')).href
  );
  return main(args);
});

/** Prints nothing unless it takes long, as on the first run of a clone. */
async function prepare() {
  const layout = layoutAt(join(workspace, '.local', 'prepare'));
  makeFolders(layout);
  const progress = new Progress(process.stderr, { onlySlow: true });
  const interruption = listenForInterruption();
  const { signal } = interruption;
  try {
    await progress.step('packages', (note) => installPackages(layout, { note, signal }));
    await progress.step('build', (note) => buildTools(layout, { note, signal }));
  } finally {
    interruption.dispose();
  }
}
