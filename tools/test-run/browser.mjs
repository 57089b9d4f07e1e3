// @ts-check
import { existsSync } from 'node:fs';
import { ask } from '../local-stack/commands.mjs';
import { findProgram, installHint, installProgram } from '../local-stack/programs.mjs';

/** @type {import('../local-stack/programs.mjs').ProgramSource} */
const chromiumSource = {
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  debian: 'chromium',
  fedora: 'chromium',
  brew: ['--cask', 'chromium'],
};

const macPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * A Chromium for the tests of the pages: the one that is there, else installed where it may be.
 * @param {import('../local-stack/programs.mjs').ProvisionContext} context
 * @returns {Promise<{ path: string | undefined, note: string }>}
 */
export async function provideChromium(context) {
  const found = process.env['CHROMIUM_PATH'] || findChromium();
  if (found) return { path: found, note: found };
  const installed = await installProgram(chromiumSource, context);
  const path = findChromium();
  if (path !== undefined) return { path, note: 'how' in installed ? installed.how : path };
  const failures = 'failures' in installed ? installed.failures : [];
  const why = [...failures, 'Tests of the pages will fail without Chromium. Install it:'].join(
    '\n',
  );
  return {
    path: undefined,
    note: `none\n${why}\n${installHint(chromiumSource)}\nor set CHROMIUM_PATH.`,
  };
}

function findChromium() {
  for (const name of chromiumSource.names) {
    const path = findProgram([name]);
    // Ubuntu's package is a script that only says "install the snap".
    if (path !== undefined && ask(path, ['--version']).ok) return path;
  }
  return macPlaces.find((path) => existsSync(path));
}
