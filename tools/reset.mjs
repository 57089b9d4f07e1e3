// @ts-check
// `npm run reset`: ends the stack of this clone and removes its data.
import { runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { resetStack } from './local-stack/stop.mjs';

await runMain(async () => {
  readOptions(process.argv.slice(2), {}, { usage: 'npm run reset' });
  for (const line of await resetStack(stackLayout())) process.stdout.write(`${line}\n`);
});
