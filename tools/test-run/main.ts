// `npm test`: see docs/local-stack.md.
import { randomInt } from 'node:crypto';
import { StackFault } from '#local-stack/fault.mjs';
import { readOptions } from '#local-stack/options.mjs';
import { isTier, TIERS } from './jest-tier.js';
import { runTests } from './test-run.js';

const USAGE = `npm test -- [--tier ${TIERS.join('|')}]... [--filter text of a path] [--seed random|number]`;
const SEED_MAX = 2 ** 31 - 1;

export async function main(args: string[]): Promise<number> {
  const { values } = readOptions(
    args,
    {
      tier: { type: 'string', multiple: true },
      filter: { type: 'string' },
      seed: { type: 'string' },
    },
    { usage: USAGE },
  );
  const wanted = values.tier ?? [];
  const unknown = wanted.find((name) => !isTier(name));
  if (unknown !== undefined) {
    throw new StackFault(`--tier is "${unknown}"; the tiers are ${TIERS.join(', ')}`, USAGE, 2);
  }
  const seed = seedOf(values.seed);
  return runTests({ tiers: wanted.filter(isTier), filter: values.filter, seed });
}

function seedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === 'random') return randomInt(SEED_MAX);
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= SEED_MAX) return seed;
  throw new StackFault(`--seed is "${text}"; it is random, or 0 to ${SEED_MAX}`, USAGE, 2);
}
