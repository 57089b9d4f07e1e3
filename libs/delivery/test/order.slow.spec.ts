import { simulate } from './simulation/simulation.js';

// `npm run proof` simulates 10,000.
const SEEDS = 100;
const TIMEOUT_MS = 120_000;

it(
  `keeps the guarantees of delivery in ${SEEDS} simulations`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect({ seed, faults: await simulate(seed) }).toEqual({ seed, faults: [] });
    }
  },
  TIMEOUT_MS,
);
