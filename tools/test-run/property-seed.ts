/**
 * Uses the same samples for property tests in every run, so that a failure is caused by a change
 * and not by chance. `npm test -- --seed random` tries other samples.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_251_120) });
