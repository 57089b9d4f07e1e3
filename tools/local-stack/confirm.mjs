// @ts-check
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { StackFault } from './fault.mjs';

/**
 * Asks before data is deleted. Without a terminal there is no one to ask, so the command needs
 * `--yes`.
 * @param {string} loss what is deleted, as a sentence
 * @param {{ yes: boolean | undefined, usage: string }} command
 */
export async function confirmLoss(loss, { yes, usage }) {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new StackFault(loss, `Add --yes if you want that. Usage: ${usage}`, 2);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.setPrompt(`${loss} Continue? [y/N] `);
  terminal.prompt();
  // Ctrl-C and Ctrl-D close it without a line.
  const answer = await Promise.race([once(terminal, 'line'), once(terminal, 'close')]);
  terminal.close();
  if (!/^y(es)?$/i.test(String(answer[0] ?? '').trim())) {
    throw new StackFault('Nothing was deleted');
  }
}
