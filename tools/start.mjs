// @ts-check
// `npm start`: see docs/local-stack.md.
import { runMain } from './local-stack/fault.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { parsePortBase, parseReplicas } from './local-stack/ports.mjs';
import { startStack } from './local-stack/stack.mjs';

const USAGE = 'npm start -- [--detach] [--port-base 18080] [--replicas 2]';

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    {
      detach: { type: 'boolean' },
      'port-base': { type: 'string' },
      replicas: { type: 'string' },
    },
    { usage: USAGE },
  );
  const portBase = parsePortBase(values['port-base']);
  const replicas = parseReplicas(values.replicas);
  return startStack(stackLayout(), { portBase, replicas, detach: values.detach ?? false });
});
