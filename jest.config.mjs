// One configuration, seven kinds of tests by file name: see docs/architecture.md, "Tests".
const KINDS = {
  unit: 'spec',
  checks: 'check',
  integration: 'int-spec',
  e2e: 'e2e-spec',
  conformance: 'conformance-spec',
  faults: 'fault-spec',
  timed: 'timed-spec',
};

const kinds = (process.env.TEST_TIER ?? 'unit').split(',');
const unknown = kinds.find((kind) => !Object.hasOwn(KINDS, kind));
if (unknown !== undefined) {
  throw new Error(`TEST_TIER is "${unknown}"; it must be of ${Object.keys(KINDS).join(', ')}`);
}
// `npm test` leaves out what takes long or is rare; `npm run test:all` adds it.
const pace = process.env.TEST_PACE ?? 'all';
const isSlowKind = (kind) => kind === 'faults' || kind === 'timed';
const patternOf = (kind) =>
  `**/*${pace === 'slow' && !isSlowKind(kind) ? '.slow' : ''}.${KINDS[kind]}.ts`;

export default {
  rootDir: '.',
  roots: ['apps', 'bench', 'libs', 'conformance', 'deploy', 'tools'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: kinds.map(patternOf),
  testPathIgnorePatterns: pace === 'fast' ? ['\\.slow\\.'] : [],
  extensionsToTreatAsEsm: ['.ts'],
  // See tools/jest: a worker loads each module once, and compiles nothing that was compiled before.
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  runtime: '<rootDir>/tools/jest/runtime.mjs',
  transform: {},
  setupFiles: ['<rootDir>/tools/test-run/property-seed.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.local'],
  cacheDirectory: '<rootDir>/.local/cache/jest',
  // A test that hangs ends. Starting a service takes ten seconds on a busy machine; a fault is followed
  // by its recovery.
  testTimeout: kinds.some(isSlowKind) ? 300_000 : kinds.join() === 'unit' ? 30_000 : 120_000,
  testSequencer: '<rootDir>/tools/jest/sequencer.mjs',
  // Tests that measure times would measure each other. A fault is mostly waited for: two files leave a core
  // idle.
  maxWorkers: kinds.includes('timed') ? 1 : kinds.includes('faults') ? 3 : 2,
  workerIdleMemoryLimit: '1500MB',
};
