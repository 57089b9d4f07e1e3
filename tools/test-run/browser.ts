import { existsSync } from 'node:fs';
import { ask } from '#local-stack/commands.mjs';
import { findProgram, installHint } from '#local-stack/programs.mjs';

const CHROMIUM = {
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  debian: 'chromium',
};

const MAC_PATHS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Finds a Chromium for the tests of the pages, which fail without one. */
export function provideChromium(): { path: string | undefined; note: string } {
  const path = process.env['CHROMIUM_PATH'] || findChromium();
  return { path, note: path ?? `none\n${installHint(CHROMIUM)}\nor set CHROMIUM_PATH.` };
}

function findChromium(): string | undefined {
  for (const name of CHROMIUM.names) {
    const path = findProgram([name]);
    // Ubuntu's package is a script that only says "install the snap".
    if (path !== undefined && ask(path, ['--version']).ok) return path;
  }
  return MAC_PATHS.find((path) => existsSync(path));
}
