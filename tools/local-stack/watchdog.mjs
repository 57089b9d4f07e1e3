// @ts-check
// Runs beside `npm start` and `npm test` and holds one end of a pipe. If the pipe closes without the
// word "released", the other side was killed, and the watchdog stops everything it had started.
import { layoutAt } from './layout.mjs';
import { lockHolder } from './lock.mjs';
import { stopRecorded } from './stopping.mjs';

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {});
}

let received = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  received += text;
});
process.stdin.on('error', () => {});
process.stdin.on('close', () => void onClosed());

async function onClosed() {
  const [root, watched] = process.argv.slice(2);
  if (root === undefined || received.includes('released')) return;
  const layout = layoutAt(root);
  // A new run that holds the lock cleans up by itself. A killed process closes its files before it
  // exits, so it may seem to hold the lock for a moment.
  const holder = lockHolder(layout.lock);
  if (holder === undefined || String(holder.pid) === watched) await stopRecorded(layout);
}
