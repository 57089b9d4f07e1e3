// @ts-check
// `npm test`: sets itself up and runs every check and test; see docs/local-stack.md.
import { randomInt } from 'node:crypto';
import { StackFault, runMain } from './local-stack/fault.mjs';
import { readOptions } from './local-stack/options.mjs';
import { isTier, tiers } from './test-run/jest-tier.mjs';
import { runTests } from './test-run/test-run.mjs';

const usage = `npm test -- [--tier ${tiers.join('|')}]... [--filter text of a path] [--seed random|number]`;
const seedMax = 2 ** 31 - 1;

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    {
      tier: { type: 'string', multiple: true },
      filter: { type: 'string' },
      seed: { type: 'string' },
    },
    { usage },
  );
  const wanted = values.tier ?? [];
  const unknown = wanted.find((name) => !isTier(name));
  if (unknown !== undefined) {
    throw new StackFault(`--tier is "${unknown}"; there are ${tiers.join(', ')}`, usage, 2);
  }
  const seed = seedOf(values.seed);
  return runTests({ tiers: wanted.filter(isTier), filter: values.filter, seed });
});

/**
 * @param {string | undefined} text
 * @returns {number | undefined} what the samples of property tests are made from
 */
function seedOf(text) {
  if (text === undefined) return undefined;
  if (text === 'random') return randomInt(seedMax);
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= seedMax) return seed;
  throw new StackFault(`--seed is "${text}"; it is random, or 0 to ${seedMax}`, usage, 2);
}
