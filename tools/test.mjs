// @ts-check
// `npm test`: sets itself up and runs every check and test; see docs/local-stack.md.
import { StackFault, runMain } from './local-stack/fault.mjs';
import { readOptions } from './local-stack/options.mjs';
import { isTier, tiers } from './test-run/jest-tier.mjs';
import { runTests } from './test-run/test-run.mjs';

const usage = `npm test -- [--tier ${tiers.join('|')}]... [--filter text of a path]`;

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    { tier: { type: 'string', multiple: true }, filter: { type: 'string' } },
    { usage },
  );
  const wanted = values.tier ?? [];
  const unknown = wanted.find((name) => !isTier(name));
  if (unknown !== undefined) {
    throw new StackFault(`--tier is "${unknown}"; there are ${tiers.join(', ')}`, usage, 2);
  }
  return runTests({ tiers: wanted.filter(isTier), filter: values.filter });
});
