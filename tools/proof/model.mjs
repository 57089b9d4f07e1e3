// @ts-check
// Runs the models with Quint's simulator in TypeScript, which needs neither Java nor a download.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspace } from '../jest/compiled-files.mjs';

const run = promisify(execFile);

/** The models: what has to be seen in some walks, and the variants that leave a part of the design out. */
export const MODELS = [
  {
    file: 'order.qnt',
    witnesses: ['somethingArrived', 'somethingResent'],
    faulty: ['withoutHorizon', 'numberFirst', 'withoutFence', 'recordFirst'],
  },
  {
    file: 'link.qnt',
    witnesses: ['oneEntered', 'openedTwice'],
    faulty: ['withoutLock', 'withoutEnd'],
  },
  {
    file: 'flow.qnt',
    witnesses: ['oneWritten', 'twoSaw'],
    faulty: ['withoutSecondLook', 'inTwoParts', 'boundLater'],
  },
  {
    file: 'limit.qnt',
    witnesses: ['allAdmitted', 'lostAll'],
    faulty: ['uncharged', 'keptLease', 'returnedTwice'],
  },
];

/**
 * Walks through a model at random, and checks its invariant `safe` after each step.
 *
 * @param {string} file in tools/proof
 * @param {string} module
 * @param {number} walks at most
 * @param {readonly string[]} witnesses what has to be seen in some walks
 * @returns {Promise<{ isSafe: boolean, output: string }>}
 */
export async function check(file, module, walks, witnesses = []) {
  const options = ['--backend', 'typescript', '--invariant', 'safe', '--max-steps', '40'];
  const bounds = ['--max-samples', String(walks), '--seed', '7', '--verbosity', '1'];
  const seen = witnesses.length > 0 ? ['--witnesses', ...witnesses] : [];
  const program = join(workspace, 'node_modules/@informalsystems/quint/dist/src/cli.js');
  const path = join(workspace, 'tools/proof', file);
  const all = [program, 'run', path, '--main', module, ...options, ...bounds, ...seen];
  try {
    const { stdout } = await run(process.execPath, all);
    const unseen = witnesses.filter((name) => stdout.includes(`${name} was witnessed in 0 `));
    if (unseen.length > 0) throw new Error(`never seen in ${module}: ${unseen.join(', ')}`);
    return { isSafe: true, output: stdout };
  } catch (error) {
    const { stdout = '' } = /** @type {{ stdout?: string }} */ (error);
    if (!stdout.includes('[violation]')) throw error;
    return { isSafe: false, output: stdout };
  }
}
