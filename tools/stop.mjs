// @ts-check
// `npm run stop`: ends the stack of this clone, in whatever way it runs.
import { runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { stopStack } from './local-stack/stop.mjs';

await runMain(async () => {
  readOptions(process.argv.slice(2), {}, { usage: 'npm run stop' });
  const stopped = await stopStack(stackLayout());
  process.stdout.write(
    stopped.length === 0 ? 'No stack runs here.\n' : `Stopped: ${stopped.join(', ')}.\n`,
  );
});
