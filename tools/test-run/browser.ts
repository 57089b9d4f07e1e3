import { existsSync } from 'node:fs';
import { ask } from '#local-stack/commands.mjs';
import {
  findProgram,
  installHint,
  installProgram,
  type ProgramSource,
  type ProvisionContext,
} from '#local-stack/programs.mjs';

const CHROMIUM: ProgramSource = {
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  debian: 'chromium',
  fedora: 'chromium',
  brew: ['--cask', 'chromium'],
};

const MAC_PATHS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds a Chromium for the tests of the pages, or installs one where that needs no password.
 * @throws Error that says how to install it
 */
export async function provideChromium(context: ProvisionContext): Promise<string> {
  const found = process.env['CHROMIUM_PATH'] || findChromium();
  if (found) return found;
  const installed = await installProgram(CHROMIUM, context);
  const path = findChromium();
  if (path !== undefined) return path;
  const failures = 'failures' in installed ? installed.failures : [];
  throw new Error(
    [...failures, 'Install Chromium:', installHint(CHROMIUM), 'or set CHROMIUM_PATH.'].join('\n'),
  );
}

function findChromium(): string | undefined {
  for (const name of CHROMIUM.names) {
    const path = findProgram([name]);
    // Ubuntu's package is a script that only says "install the snap".
    if (path !== undefined && ask(path, ['--version']).ok) return path;
  }
  return MAC_PATHS.find((path) => existsSync(path));
}
