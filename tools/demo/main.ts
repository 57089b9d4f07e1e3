/**
 * `npm run demo`: uses the running stack over HTTP, step by step. Each step checks its result; the
 * first wrong one ends the demo with exit code 1.
 */
import { Interrupted, StackFault } from '#local-stack/fault.mjs';
import { listenForInterruption, untilAborted } from '#local-stack/interruption.mjs';
import { stackLayout } from '#local-stack/layout.mjs';
import { readOptions } from '#local-stack/options.mjs';
import { readStackRecord } from '#local-stack/state.mjs';
import { showDirectorySync } from './directory-sync.js';
import { showIdentityForms } from './identity-forms.js';
import { showKeyService } from './key-service.js';
import { showLeavers } from './leavers.js';
import { Story } from './story.js';

const PARTS = {
  'key-service': showKeyService,
  'directory-sync': showDirectorySync,
  'identity-forms': showIdentityForms,
  leavers: showLeavers,
};
const USAGE = `npm run demo -- [${Object.keys(PARTS).join(' | ')}]`;

export async function main(args: string[]): Promise<void> {
  const { positionals } = readOptions(args, {}, { usage: USAGE, positionals: 1 });
  const [only] = positionals;
  if (only !== undefined && !Object.hasOwn(PARTS, only)) {
    throw new StackFault(`There is no part "${only}"`, `Usage: ${USAGE}`, 2);
  }
  const stack = readStackRecord(stackLayout());
  if (stack === undefined) {
    throw new StackFault('No stack of this clone is running', 'Start one: npm start -- --detach');
  }

  const interruption = listenForInterruption();
  const interrupted = untilAborted(interruption.signal).then(() => {
    throw new Interrupted();
  });
  const showAll = async () => {
    const story = new Story();
    for (const [name, show] of Object.entries(PARTS)) {
      if (only === undefined || only === name) await show(story, stack);
    }
    story.end();
  };
  try {
    await Promise.race([showAll(), interrupted]);
  } catch (error) {
    // Exit at once: that also ends what a step has started (a replica, a receiver).
    if (error instanceof Interrupted) process.exit(130);
    throw error;
  } finally {
    interruption.dispose();
  }
}
