// @ts-check
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts the watchdog of a stack: if this process is killed, it stops what this process started.
 * @param {import('./layout.mjs').Layout} layout
 * @returns {{ release: () => Promise<void> }} to be called when nothing is left to watch
 */
export function startWatchdog(layout) {
  const program = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, layout.root, String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.unref();
  return {
    async release() {
      if (child.pid === undefined || child.exitCode !== null) return;
      child.ref();
      child.stdin?.end('released');
      await ended;
    },
  };
}
