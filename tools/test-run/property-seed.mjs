// @ts-check
/**
 * Property tests see the same samples in every run, so that a change fails for what it does and not
 * for what chance has found in another place. `npm test -- --seed random` looks for more.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_251_120) });
