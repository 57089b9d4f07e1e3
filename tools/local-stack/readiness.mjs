// @ts-check
import { busyAdvice } from './advice.mjs';
import { faultOfLog, Interrupted, reasonOf } from './fault.mjs';
import { lastLines } from './processes.mjs';
import { until } from './until.mjs';

/**
 * Waits until a started process is ready. If it exits first or takes too long, fails with the end
 * of its log.
 * @param {import('./processes.mjs').RunningProcess} running
 * @param {() => Promise<unknown>} probe throws, or rejects, while it is not ready
 * @param {{ signal: AbortSignal, timeoutMs?: number }} options
 */
export async function waitUntilReady(running, probe, { signal, timeoutMs = 60_000 }) {
  let death = '';
  void running.ended.then(({ code, signal: endedBy }) => {
    death = `ended with ${code ?? endedBy ?? 'an error'}`;
  });
  /** @type {unknown} */
  let reason;
  const isReadyOrDead = async () => {
    if (death !== '') return true;
    try {
      await probe();
      return true;
    } catch (error) {
      reason = error;
      return false;
    }
  };
  const isOver = await until(isReadyOrDead, { timeoutMs, everyMs: 100, signal });
  if (signal.aborted) throw new Interrupted();
  if (death !== '') throw deathOf(running, `${running.record.name} ${death} while starting`);
  if (isOver) return;
  const late = `was not ready after ${timeoutMs / 1000} s (${reasonOf(reason)})`;
  throw deathOf(running, `${running.record.name} ${late}`, busyAdvice());
}

/**
 * @param {import('./processes.mjs').RunningProcess} running
 * @param {string} what
 * @param {string} [remedy]
 */
export function deathOf(running, what, remedy) {
  const { logFile } = running;
  return faultOfLog(what, logFile, lastLines(logFile, 15), remedy);
}

/**
 * @param {string} url that answers 200 when the service is ready
 */
export async function probeHttp(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000), redirect: 'manual' });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${body.slice(0, 200)}`);
}
