import { readFileSync } from 'node:fs';
import { asset } from '@gatehouse/pages';

export const consoleStylesheet = asset(
  'console',
  'css',
  'text/css; charset=utf-8',
  readFileSync(new URL('./console.css', import.meta.url)),
);
/** Makes pages quicker to use; they work without it. */
export const consoleScript = asset(
  'console',
  'js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./console.browser.js', import.meta.url)),
);
