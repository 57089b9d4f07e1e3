// `npm test`: see docs/local-stack.md.
import { randomInt } from 'node:crypto';
import { StackFault } from '#local-stack/fault.mjs';
import { readOptions } from '#local-stack/options.mjs';
import { OTHER_STORES, type OtherStore } from '#local-stack/test-stores.mjs';
import { isKind, type Kind, KINDS, type Pace } from './kinds.js';
import { runTests } from './test-run.js';

const USAGE = `npm test -- [--tier ${KINDS.join('|')}]... [--filter text of a path] [--all | --slow] [--seed random|number] [--node 24] [--stores ${OTHER_STORES.join('|')}]...`;
const SEED_MAX = 2 ** 31 - 1;

export async function main(args: string[]): Promise<number> {
  const { values } = readOptions(
    args,
    {
      tier: { type: 'string', multiple: true },
      filter: { type: 'string' },
      all: { type: 'boolean' },
      slow: { type: 'boolean' },
      seed: { type: 'string' },
      node: { type: 'string' },
      stores: { type: 'string', multiple: true },
    },
    { usage: USAGE },
  );
  const wanted = values.tier ?? [];
  const unknown = wanted.find((name) => !isKind(name));
  if (unknown !== undefined) {
    throw new StackFault(`--tier is "${unknown}"; the tiers are ${KINDS.join(', ')}`, USAGE, 2);
  }
  const { filter, node } = values;
  if (node !== undefined && !/^\d+$/.test(node)) {
    throw new StackFault(`--node is "${node}"; it is a major version, such as 24`, USAGE, 2);
  }
  const stores = (values.stores ?? []).map(storeOf);
  const kinds = wanted.filter(isKind);
  return runTests({
    kinds,
    pace: paceOf(values, kinds),
    filter,
    seed: seedOf(values.seed),
    node,
    stores,
  });
}

/** A run that names a kind or a path runs all of its tests. */
function paceOf(
  { all, slow, filter }: { all?: boolean; slow?: boolean; filter?: string },
  kinds: readonly Kind[],
): Pace {
  if (slow === true) return 'slow';
  return all === true || filter !== undefined || kinds.length > 0 ? 'all' : 'fast';
}

function storeOf(name: string): OtherStore {
  const store = OTHER_STORES.find((each) => each === name);
  if (store !== undefined) return store;
  throw new StackFault(`--stores is "${name}"; there are ${OTHER_STORES.join(', ')}`, USAGE, 2);
}

function seedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === 'random') return randomInt(SEED_MAX);
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= SEED_MAX) return seed;
  throw new StackFault(`--seed is "${text}"; it is random, or 0 to ${SEED_MAX}`, USAGE, 2);
}
