// @ts-check
// `npm test`: see docs/local-stack.md. Installs the packages first, then runs `main(arguments)` of
// test-run/main.ts, which needs no build.
import { register } from 'node:module';
import { runMain } from './local-stack/fault.mjs';
import { prepare } from './local-stack/prepare.mjs';

await runMain(async () => {
  await prepare();
  register('./jest/module-hooks.mjs', import.meta.url);
  const entry = './test-run/main.ts';
  const { main } = await import(entry);
  return main(process.argv.slice(2));
});
