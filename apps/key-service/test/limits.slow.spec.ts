import { simulate } from './limit-simulation.js';

// `npm run proof` simulates 10,000.
const SEEDS = 200;
const TIMEOUT_MS = 120_000;

it(
  `admits no more than the limit has in ${SEEDS} simulations`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect({ seed, faults: await simulate(seed) }).toEqual({ seed, faults: [] });
    }
  },
  TIMEOUT_MS,
);
