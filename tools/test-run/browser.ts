import { existsSync } from 'node:fs';
import { ask } from '#local-stack/commands.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import {
  aptInstall,
  findProgram,
  installHint,
  type ProvisionContext,
} from '#local-stack/programs.mjs';

const CHROMIUM = {
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  debian: 'chromium',
};

const MAC_PATHS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds a Chromium for the tests of the pages. Root on Debian gets one installed: its package works from
 * no other folder than the system's.
 * @throws StackFault that says how to install it
 */
export async function provideChromium(context: ProvisionContext): Promise<string> {
  const found = process.env['CHROMIUM_PATH'] || findChromium();
  if (found) return found;
  await aptInstall(CHROMIUM, context);
  const path = findChromium();
  if (path !== undefined) return path;
  throw new StackFault(`There is no Chromium. ${installHint(CHROMIUM)}, or set CHROMIUM_PATH.`);
}

function findChromium(): string | undefined {
  for (const name of CHROMIUM.names) {
    const path = findProgram([name]);
    // Ubuntu's package is a script that only says "install the snap".
    if (path !== undefined && ask(path, ['--version']).ok) return path;
  }
  return MAC_PATHS.find((path) => existsSync(path));
}
