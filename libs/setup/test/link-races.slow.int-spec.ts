import { close, simulate } from './link-simulation.js';

// `npm run proof` simulates 10,000.
const SEEDS = 25;
const TIMEOUT_MS = 120_000;

afterAll(close);

it(
  `a setup link has one session in ${SEEDS} simulations`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect({ seed, faults: await simulate(seed) }).toEqual({ seed, faults: [] });
    }
  },
  TIMEOUT_MS,
);
