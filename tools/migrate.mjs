// @ts-check
// `npm run migrate`: brings the schemas of the services up to date, or takes them back. In a
// container it needs only dist/ and node_modules/.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildProjects } from './local-stack/build.mjs';
import { StackFault, reasonOf, runMain } from './local-stack/fault.mjs';
import { installPackages } from './local-stack/install.mjs';
import { listenForInterruption } from './local-stack/interruption.mjs';
import { makeFolders, stackLayout, workspace } from './local-stack/layout.mjs';
import { databaseUrlOf, migrateApp, migratingApps } from './local-stack/migrations.mjs';
import { readOptions } from './local-stack/options.mjs';
import { readState } from './local-stack/state.mjs';

const usage =
  'npm run migrate -- [up|down] [--app key-service|dsync-api|identity-forms] [--no-build]';

await runMain(async () => {
  const { values, positionals } = readOptions(
    process.argv.slice(2),
    { app: { type: 'string' }, 'no-build': { type: 'boolean' } },
    { usage, positionals: 1 },
  );
  const direction = positionals[0] ?? 'up';
  if (direction !== 'up' && direction !== 'down') {
    throw new StackFault(`"${direction}" is not a direction`, `Usage: ${usage}`, 2);
  }
  const apps = chosenApps(values.app);
  if (!values['no-build'] && hasWorkspace()) await buildFirst();
  for (const app of apps) {
    const url = databaseUrlOf(app, process.env) ?? ofRunningStack(app);
    if (url === undefined) {
      throw new StackFault(
        `There is no database to migrate for ${app}`,
        `Start the local stack (npm start), or set ${migratingApps[app]} or DATABASE_URL.`,
      );
    }
    try {
      report(app, direction, await migrateApp(app, url, direction));
    } catch (error) {
      if (error instanceof StackFault) throw error;
      throw new StackFault(`Migrations of ${app} failed: ${reasonOf(error)}`);
    }
  }
});

/** @param {string | undefined} name */
function chosenApps(name) {
  const all = /** @type {(keyof typeof migratingApps)[]} */ (Object.keys(migratingApps));
  if (name === undefined) return all;
  const chosen = all.filter((app) => app === name);
  if (chosen.length > 0) return chosen;
  throw new StackFault(`--app is "${name}"; with tables are ${all.join(', ')}`, undefined, 2);
}

/** @param {import('./local-stack/migrations.mjs').MigratingApp} app */
function ofRunningStack(app) {
  return readState(stackLayout())?.databases?.[app === 'dsync-api' ? 'dsync' : app];
}

/** A container has the built code and no Nx to build it with. */
function hasWorkspace() {
  return existsSync(join(workspace, 'nx.json')) && existsSync(join(workspace, 'apps'));
}

async function buildFirst() {
  const layout = stackLayout();
  makeFolders(layout);
  const interruption = listenForInterruption();
  try {
    const context = { note: () => {}, signal: interruption.signal };
    await installPackages(layout, context);
    await buildProjects(layout, context);
  } finally {
    interruption.dispose();
  }
}

/**
 * @param {string} app
 * @param {'up' | 'down'} direction
 * @param {string[]} names
 */
function report(app, direction, names) {
  const what = direction === 'up' ? 'applied' : 'taken back';
  const outcome = names.length === 0 ? 'nothing to do' : `${what}: ${names.join(', ')}`;
  process.stdout.write(`${app}: ${outcome}\n`);
}
