// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { Interrupted, StackFault, reasonOf } from './fault.mjs';
import { lastLines } from './processes.mjs';

const pollMs = 100;

/**
 * Waits until a process that was started serves. When it dies first, or takes too long, its last
 * log lines are shown.
 * @param {import('./processes.mjs').RunningProcess} running
 * @param {() => Promise<unknown>} probe throws, or rejects, while it is not ready
 * @param {{ signal: AbortSignal, timeoutMs?: number }} options
 */
export async function waitUntilReady(running, probe, { signal, timeoutMs = 60_000 }) {
  const deadline = performance.now() + timeoutMs;
  let death = '';
  void running.ended.then(({ code, signal: endedBy }) => {
    death = `ended with ${code ?? endedBy ?? 'an error'}`;
  });
  for (;;) {
    if (signal.aborted) throw new Interrupted();
    if (death !== '') throw deathOf(running, `${running.record.name} ${death} while starting`);
    try {
      await probe();
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        const late = `was not ready after ${timeoutMs / 1000} s (${reasonOf(error)})`;
        throw deathOf(running, `${running.record.name} ${late}`);
      }
    }
    await delay(pollMs);
  }
}

/**
 * @param {import('./processes.mjs').RunningProcess} running
 * @param {string} what
 */
export function deathOf(running, what) {
  const { logFile } = running;
  return new StackFault(`${what}. The end of ${logFile}:\n${lastLines(logFile, 15)}`);
}

/**
 * @param {string} url that answers 200 when the service is ready
 */
export async function probeHttp(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000), redirect: 'manual' });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${body.slice(0, 200)}`);
}
