// @ts-check
// `npm run status`: exit code 0 if everything is ready, 1 if something is not, 3 if no stack runs.
import { runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { stackStatus } from './local-stack/status.mjs';

await runMain(async () => {
  readOptions(process.argv.slice(2), {}, { usage: 'npm run status' });
  const { lines, exitCode } = await stackStatus(stackLayout());
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitCode;
});
