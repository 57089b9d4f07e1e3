// @ts-check
// `eval "$(npm run -s env)"`: the variables and functions that the examples of the pages use.
import { runMain, StackFault } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { shellVariablesOf } from './local-stack/shell-variables.mjs';
import { readStackRecord } from './local-stack/state.mjs';

await runMain(async () => {
  readOptions(process.argv.slice(2), {}, { usage: 'eval "$(npm run -s env)"' });
  const layout = stackLayout();
  const record = readStackRecord(layout);
  if (record === undefined) throw new StackFault('No stack runs here', 'Start one: npm start');
  process.stdout.write(shellVariablesOf(record, layout.gateway));
});
