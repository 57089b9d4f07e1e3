import { simulate } from './credit-simulation.js';

// `npm run proof` simulates 10,000.
const SEEDS = 500;
const TIMEOUT_MS = 120_000;

it(
  `spends no credit twice in ${SEEDS} simulations`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect({ seed, faults: await simulate(seed) }).toEqual({ seed, faults: [] });
    }
  },
  TIMEOUT_MS,
);
