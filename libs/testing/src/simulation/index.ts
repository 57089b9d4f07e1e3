/** Worlds in which a seed decides what happens when, for simulations. */
export { simulateLink, type SimulatedLink } from './link-simulation.js';
export { isBroken, SteppedDatabase, type SteppedPool } from './stepped-database.js';
export { type Process, simulateSeed, World } from './world.js';
