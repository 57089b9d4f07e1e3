// @ts-check
// `npm run reset`: ends the stack of this clone and removes its data.
import { confirmLoss } from './local-stack/confirm.mjs';
import { runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { leftoversOf, resetStack } from './local-stack/stop.mjs';

const USAGE = 'npm run reset -- [--yes]';

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    { yes: { type: 'boolean' } },
    { usage: USAGE },
  );
  const layout = stackLayout();
  if (leftoversOf(layout).length === 0) {
    process.stdout.write('There is nothing to remove.\n');
    return;
  }
  const loss = `This stops the stack and deletes its data, logs and secrets in ${layout.root}.`;
  await confirmLoss(loss, { yes: values.yes, usage: USAGE });
  for (const line of await resetStack(layout)) process.stdout.write(`${line}\n`);
});
