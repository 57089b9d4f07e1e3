// @ts-check
/**
 * `npm run demo`: the running stack at work, over HTTP, step by step. Each step checks its
 * outcome; the first that is not as it should be ends the demo with exit code 1.
 */
import { Interrupted, runMain, StackFault } from './local-stack/fault.mjs';
import { listenForInterruption, untilAborted } from './local-stack/interruption.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { readStackRecord } from './local-stack/state.mjs';

const PARTS = ['key-service', 'directory-sync', 'identity-forms'];
const USAGE = `npm run demo -- [${PARTS.join(' | ')}]`;

await runMain(async () => {
  const { positionals } = readOptions(process.argv.slice(2), {}, { usage: USAGE, positionals: 1 });
  const [only] = positionals;
  if (only !== undefined && !PARTS.includes(only)) {
    throw new StackFault(`There is no part "${only}"`, `Usage: ${USAGE}`, 2);
  }
  const stack = readStackRecord(stackLayout());
  if (stack === undefined) {
    throw new StackFault('No stack of this clone runs', 'Start it: npm start -- --detach');
  }
  const { Story } = await import('./demo/story.mjs');
  const parts = {
    'key-service': (await import('./demo/key-service.mjs')).showKeyService,
    'directory-sync': (await import('./demo/directory-sync.mjs')).showDirectorySync,
    'identity-forms': (await import('./demo/identity-forms.mjs')).showIdentityForms,
  };

  const interruption = listenForInterruption();
  const interrupted = untilAborted(interruption.signal).then(() => {
    throw new Interrupted();
  });
  const tellAll = async () => {
    const story = new Story();
    for (const [name, show] of Object.entries(parts)) {
      if (only === undefined || only === name) await show(story, stack);
    }
    story.end();
  };
  try {
    await Promise.race([tellAll(), interrupted]);
  } catch (error) {
    // What a step has started (a replica, a receiver) goes with this process.
    if (error instanceof Interrupted) process.exit(130);
    throw error;
  } finally {
    interruption.dispose();
  }
});
