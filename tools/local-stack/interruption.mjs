// @ts-check
import { parentOf } from './process-table.mjs';

/** npm forwards a Ctrl-C that the terminal has already sent here; only a later signal is a second one. */
const ECHO_MS = 700;
const PARENT_CHECK_MS = 1_000;

/**
 * @typedef {object} Interruption
 * @property {AbortSignal} signal aborted when the person wants the end
 * @property {AbortSignal} hurry aborted when they want it a second time
 * @property {() => void} dispose
 */

/**
 * Turns Ctrl-C, SIGTERM, SIGHUP and the death of the npm that started us into an orderly end.
 * @returns {Interruption}
 */
export function listenForInterruption() {
  const stop = new AbortController();
  const hurry = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort();
    } else if (performance.now() - firstAt > ECHO_MS) {
      hurry.abort();
    }
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const name of signals) process.on(name, onSignal);
  const timer = watchParent(() => stop.abort());
  return {
    signal: stop.signal,
    hurry: hurry.signal,
    dispose() {
      for (const name of signals) process.off(name, onSignal);
      clearInterval(timer);
    },
  };
}

/**
 * Calls back when the npm that started this process dies, because no signal arrives then. npm starts
 * a shell that starts this process, so both parents are watched.
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const lineage = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const atStart = lineage();
  return setInterval(() => {
    if (lineage() !== atStart) onGone();
  }, PARENT_CHECK_MS);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<void>} settled when it is aborted
 */
export function untilAborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
