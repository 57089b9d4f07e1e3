/**
 * Loaded into a service before it starts, with `--expose-gc`: on SIGUSR2, collects garbage and writes
 * the bytes that are still in use to the file `LIVE_MEMORY_FILE`.
 */
import { renameSync, writeFileSync } from 'node:fs';

const file = process.env['LIVE_MEMORY_FILE'] ?? '';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.new`, String(heapUsed + external));
  renameSync(`${file}.new`, file);
});
