// @ts-check
// `npm run migrate`: runs migrate.js of each service on DATABASE_URL, else on the running stack.
import { buildProjects } from './local-stack/build.mjs';
import { confirmLoss } from './local-stack/confirm.mjs';
import { StackFault, runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { databaseUrlOf, migrateApp, MIGRATING_APPS } from './local-stack/migrations.mjs';
import { readOptions } from './local-stack/options.mjs';
import { prepare } from './local-stack/prepare.mjs';
import { readState } from './local-stack/state.mjs';

const USAGE = `npm run migrate -- [up | down [--to MIGRATION] [--yes]] [--app ${MIGRATING_APPS.join('|')}]`;

await runMain(async () => {
  const { values, positionals } = readOptions(
    process.argv.slice(2),
    { app: { type: 'string' }, to: { type: 'string' }, yes: { type: 'boolean' } },
    { usage: USAGE, positionals: 1 },
  );
  const direction = positionals[0] ?? 'up';
  if (direction !== 'up' && direction !== 'down') {
    throw new StackFault(`"${direction}" is not a direction`, `Usage: ${USAGE}`, 2);
  }
  const apps = MIGRATING_APPS.filter((app) => values.app === undefined || app === values.app);
  if (apps.length === 0) {
    throw new StackFault(`--app is "${values.app}"`, `Usage: ${USAGE}`, 2);
  }
  if (values.to !== undefined && (direction === 'up' || values.app === undefined)) {
    throw new StackFault('--to needs down, and the --app of the migration', `Usage: ${USAGE}`, 2);
  }
  const databases = readState(stackLayout())?.databases;
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  const isGiven = Boolean(DATABASE_URL || DATABASE_URL_FILE);
  if (!isGiven && databases === undefined) {
    throw new StackFault(
      'There is no database to migrate',
      'Start the local stack (npm start), or set DATABASE_URL.',
    );
  }
  const names = apps.join(', ');
  if (direction === 'down') {
    const loss =
      values.to === undefined
        ? `This deletes all tables and data of ${names}.`
        : `This deletes what was stored by migrations after ${values.to} of ${names}.`;
    await confirmLoss(loss, { yes: values.yes, usage: USAGE });
  }
  await prepare(buildProjects);
  for (const app of apps) {
    const url = isGiven || databases === undefined ? undefined : databaseUrlOf(app, databases);
    process.stdout.write(`${await migrateApp(app, url, direction, { to: values.to })}\n`);
  }
  if (direction === 'down' && values.to === undefined) {
    process.stdout.write(
      `The data of ${names} is deleted. Create the tables again (npm run migrate), then restart the services.\n`,
    );
  }
});
