import { type Browser } from 'playwright-core';
import { requiredVariable } from './required-variable.js';

/** Starts the Chromium of CHROMIUM_PATH, which `npm test` sets. */
export async function launchBrowser(): Promise<Browser> {
  // Most tests need no browser.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: requiredVariable('CHROMIUM_PATH'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
