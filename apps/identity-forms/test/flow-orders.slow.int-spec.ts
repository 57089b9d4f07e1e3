import { close, simulate } from './flow-simulation.js';

// `npm run proof` simulates 10,000.
const SEEDS = 25;
const TIMEOUT_MS = 120_000;

afterAll(close);

it(
  `a flow is used once, by one browser in ${SEEDS} simulations`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect({ seed, faults: await simulate(seed) }).toEqual({ seed, faults: [] });
    }
  },
  TIMEOUT_MS,
);
