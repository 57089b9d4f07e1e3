// @ts-check
// `npm run keys:rotate-signing`: runs the program of the key service with the settings in the
// environment, else with those of the running stack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildProjects } from './local-stack/build.mjs';
import { StackFault, runMain } from './local-stack/fault.mjs';
import { stackLayout, workspace } from './local-stack/layout.mjs';
import { prepare } from './local-stack/prepare.mjs';
import { runningSettings } from './local-stack/running-settings.mjs';

const program = join(workspace, 'dist', 'bundles', 'key-service', 'rotate-signing-key.js');

await runMain(async () => {
  const args = process.argv.slice(2);
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  const isGiven = Boolean(DATABASE_URL || DATABASE_URL_FILE);
  const settings = isGiven ? {} : runningSettings(stackLayout(), 'key-service');
  if (settings === undefined && !args.includes('--help')) {
    throw new StackFault(
      'There is no key service whose signing key could be rotated',
      'Start the local stack (npm start), or set DATABASE_URL and the other settings of the service.',
    );
  }
  await prepare(buildProjects);
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
});
