// One configuration, seven tiers by file name: see docs/architecture.md, "Tests".
const tiers = {
  unit: '**/*.spec.ts',
  checks: '**/*.check.ts',
  integration: '**/*.int-spec.ts',
  e2e: '**/*.e2e-spec.ts',
  conformance: '**/*.conformance-spec.ts',
  faults: '**/*.fault-spec.ts',
  timed: '**/*.timed-spec.ts',
};

const tier = process.env.TEST_TIER ?? 'unit';
if (!Object.hasOwn(tiers, tier)) {
  throw new Error(`TEST_TIER is "${tier}"; it must be one of ${Object.keys(tiers).join(', ')}`);
}

const isFaults = tier === 'faults' || tier === 'timed';
const startsProcesses = isFaults || ['checks', 'e2e', 'conformance'].includes(tier);

// Starting a service takes ten seconds on a busy machine; a fault is followed by its recovery.
const testTimeout = isFaults ? 300_000 : startsProcesses ? 120_000 : 30_000;

export default {
  rootDir: '.',
  roots: ['apps', 'bench', 'libs', 'conformance', 'deploy', 'tools'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: [tiers[tier]],
  // See tools/jest: a worker loads each module once, and compiles nothing that was compiled before.
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  runtime: '<rootDir>/tools/jest/runtime.mjs',
  transform: {},
  setupFiles: ['<rootDir>/tools/test-run/property-seed.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.local'],
  cacheDirectory: '<rootDir>/.local/cache/jest',
  testTimeout,
  // Tests that measure times would measure each other.
  maxWorkers: tier === 'timed' ? 1 : 2,
  workerIdleMemoryLimit: '1500MB',
};
