// @ts-check
// `npm run conformance -- <folder>`: runs the cases of a folder against the built code. The
// folder's name chooses the program in tools/conformance/; the project needs none of the folders.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildProjects } from './local-stack/build.mjs';
import { runCommand } from './local-stack/commands.mjs';
import { StackFault, runMain } from './local-stack/fault.mjs';
import { installPackages } from './local-stack/install.mjs';
import { workspace } from './local-stack/layout.mjs';
import { Progress } from './local-stack/progress.mjs';
import { inOwnFolder } from './local-stack/own-folder.mjs';
import { startTestStores, testEnvironment } from './local-stack/test-stores.mjs';

const programsFolder = join(workspace, 'tools', 'conformance');
const usage = 'Usage: npm run conformance -- <folder of cases> [options of that suite]';

await runMain(async () => {
  const [folder, ...options] = process.argv.slice(2);
  if (folder === undefined) throw new StackFault('Which folder of cases?', usage, 2);
  const cases = resolve(folder);
  if (!existsSync(cases) || !statSync(cases).isDirectory()) {
    throw new StackFault(`There is no folder ${cases}`, usage, 2);
  }
  const program = programFor(basename(cases));
  return inOwnFolder(async ({ layout, signal }) => {
    const progress = new Progress();
    await progress.step('packages', (note) => installPackages(layout, { note, signal }));
    await progress.step('build', (note) => buildProjects(layout, { note, signal }));
    const stores = await progress.step('stores', (note) =>
      startTestStores(layout, { signal, note }),
    );
    progress.say('');
    const command = {
      program: process.execPath,
      args: [program, cases, ...options],
      cwd: workspace,
      env: testEnvironment(stores),
    };
    const echo = (/** @type {string} */ text) => void process.stdout.write(text);
    const { code } = await runCommand(layout, 'conformance', command, { signal, echo });
    return code ?? 1;
  });
});

/** @param {string} name of the folder of cases */
function programFor(name) {
  const program = join(programsFolder, `${name}.mjs`);
  if (existsSync(program)) return program;
  const known = existsSync(programsFolder)
    ? readdirSync(programsFolder)
        .filter((file) => file.endsWith('.mjs'))
        .map((file) => basename(file, '.mjs'))
    : [];
  throw new StackFault(
    `There is no conformance suite for a folder named "${name}"`,
    `The folder must be named ${known.join(' or ')}.`,
    2,
  );
}
