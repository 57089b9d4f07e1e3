// @ts-check
// `npm run dev -- <service>`: see docs/local-stack.md.
import { developService } from './local-stack/developing.mjs';
import { runMain, StackFault } from './local-stack/fault.mjs';
import { listenForInterruption } from './local-stack/interruption.mjs';
import { stackLayout } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { APP_NAMES } from './local-stack/ports.mjs';
import { Progress } from './local-stack/progress.mjs';

const USAGE = `npm run dev -- ${APP_NAMES.join(' | ')}`;

await runMain(async () => {
  const { positionals } = readOptions(process.argv.slice(2), {}, { usage: USAGE, positionals: 1 });
  const app = APP_NAMES.find((name) => name === positionals[0]);
  if (app === undefined) throw new StackFault('Which service?', USAGE);
  const interruption = listenForInterruption();
  try {
    await developService(stackLayout(), app, new Progress(), interruption.signal);
  } finally {
    interruption.dispose();
  }
});
