// @ts-check
// `npm start`: see docs/local-stack.md.
import { runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { parsePortBase } from './local-stack/ports.mjs';
import { startStack } from './local-stack/stack.mjs';

const USAGE = 'npm start -- [--detach] [--port-base 18080]';

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    { detach: { type: 'boolean' }, 'port-base': { type: 'string' } },
    { usage: USAGE },
  );
  const portBase = parsePortBase(values['port-base']);
  return startStack(stackLayout(), { portBase, detach: values.detach ?? false });
});
