/** Worlds in which a seed decides what happens when, for simulations. */
export { type Process, simulateSeed, World } from './world.js';
