// The rules of this repository's architecture. Those of the languages are in .oxlintrc.json, and need a
// program of types; these need only the text of each file.
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { noCycle } from './tools/lint/no-cycle.rule.mjs';

// Test-only files: the specs, and the harness beside them.
const specs = [
  '**/*.spec.ts',
  '**/*.int-spec.ts',
  '**/*.e2e-spec.ts',
  '**/*.fault-spec.ts',
  '**/*.timed-spec.ts',
  '**/*.check.ts',
  '**/*.conformance-spec.ts',
  'apps/*/test/**/*.ts',
  'deploy/test/**/*.ts',
  'libs/*/test/**/*.ts',
  'libs/testing/**/*.ts',
  'conformance/**/*.ts',
];

// Programs for developers: they read the environment, and may use the test harness.
const tools = [
  'tools/**/*.ts',
  'bench/**/*.ts',
  'conformance/**/*.ts',
  'deploy/**/*.ts',
  'libs/import/**/*.ts',
];

/** A literal inside a literal needs no spread, which would switch off the check for excess properties. */
const spreadLiterals = [
  'ObjectExpression > SpreadElement > ObjectExpression',
  ':matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression',
].map((selector) => ({
  selector,
  message: 'Write the members of the literal out; do not spread a literal into a literal.',
}));

const typeImports = {
  selector: "ImportDeclaration[importKind='type']",
  message: 'Mark each type: import { type Name }.',
};

const environment = {
  object: 'process',
  property: 'env',
  message: 'Read settings through the config class.',
};

const wallClock = {
  object: 'Date',
  property: 'now',
  message:
    'The wall clock may be set back: measure with performance.now(). A file that stores or shows times, or compares with stored ones, belongs to timesOfDay.',
};

/** Files that store or show times, or compare with stored ones. No cache and no lease is among them. */
const timesOfDay = [
  'apps/dsync-worker/src/delivery/lane.processor.ts',
  'apps/identity-forms/src/{flows,identities,retention}/*.ts',
  'apps/cli/src/{listen/signature,output/times}.ts',
  'apps/console/src/{directories,events,keys,overview,sessions,sign-in,webhooks}/*.ts',
  'apps/console/src/parts/plot.ts',
  'apps/key-service/src/actors/actor.service.ts',
  'apps/key-service/src/api/fields/credit-fields.ts',
  'apps/key-service/src/keys/{exchange/token-exchange,leaks/leaks,revocation/revoke,tokens/derive}.service.ts',
  'apps/key-service/src/keys/usage-reports/usage-query.ts',
  'apps/key-service/src/portal/{portal.pages,portal-sessions.service,usage-plot}.ts',
  'apps/key-service/src/store/portal/portal-session.ts',
  'apps/key-service/src/verification/{verification.service,verification-result}.ts',
  'apps/key-service/src/verification/credentials/{jwt,signing-keys.service}.ts',
  'apps/key-service/src/verification/limits/limit-state.ts',
  'apps/key-service/src/verification/usage/{rate-limit-notices,usage-log}.ts',
  'libs/client/src/webhooks/webhook.ts',
  'libs/crypto/src/webhook-signature.ts',
  'libs/delivery/src/{lane,signing}/*.ts',
  'libs/directory-sync/src/{directories,embedded,management,workspace}/**/*.ts',
  'libs/kit/src/ids/uuid-v7.ts',
  'libs/nest-kit/src/audit/audit-retention.ts',
  'libs/kit/src/exchange/redis/{recent-ids,sealed-messages}.ts',
  'libs/pages/src/{page-cookie,page-visits}.ts',
  'libs/scim/src/messages/cursor.ts',
  'libs/setup/src/pages/consent.handlers.ts',
  'libs/workspace-providers/src/**/*.ts',
];

const storeTests = {
  selector: 'Program',
  message: 'Tests against stores or processes are in test/.',
};

/** The dependency rule of docs/architecture.md: app -> feature -> domain -> nest-kit -> kit -> pure, scopes apart. */
const depConstraints = [
  // Runs the apps in one process.
  { sourceTag: 'type:composition', onlyDependOnLibsWithTags: ['*'] },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: [
      'type:feature',
      'type:domain',
      'type:engine',
      'type:nest-kit',
      'type:kit',
      'type:pure',
      'type:testing',
    ],
  },
  {
    sourceTag: 'type:feature',
    onlyDependOnLibsWithTags: [
      'type:domain',
      'type:engine',
      'type:nest-kit',
      'type:kit',
      'type:pure',
      'type:testing',
    ],
  },
  {
    sourceTag: 'type:domain',
    onlyDependOnLibsWithTags: [
      'type:engine',
      'type:nest-kit',
      'type:kit',
      'type:pure',
      'type:testing',
    ],
  },
  {
    sourceTag: 'type:engine',
    onlyDependOnLibsWithTags: [
      'type:engine',
      'type:nest-kit',
      'type:kit',
      'type:pure',
      'type:testing',
    ],
  },
  {
    sourceTag: 'type:nest-kit',
    onlyDependOnLibsWithTags: ['type:kit', 'type:pure', 'type:testing'],
  },
  {
    sourceTag: 'type:kit',
    onlyDependOnLibsWithTags: ['type:pure', 'type:testing'],
    bannedExternalImports: ['@nestjs/*', 'typeorm', 'rxjs', 'fastify'],
  },
  {
    // Its only way to the services is their API.
    sourceTag: 'type:console',
    onlyDependOnLibsWithTags: [
      'type:client',
      'type:engine',
      'type:nest-kit',
      'type:kit',
      'type:pure',
      'type:testing',
    ],
  },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['*'] },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:nest-kit', 'type:kit', 'type:pure'],
  },
  {
    sourceTag: 'type:pure',
    onlyDependOnLibsWithTags: ['type:pure'],
    bannedExternalImports: ['@nestjs/*', 'typeorm', 'pg', 'ioredis', 'bullmq', 'pino'],
  },
  {
    // A package for applications, which brings nothing else of the workspace.
    sourceTag: 'type:client',
    onlyDependOnLibsWithTags: ['type:testing'],
    allowedExternalImports: ['jose', 'jose/*', '@nestjs/common'],
  },
  { sourceTag: 'type:cli', onlyDependOnLibsWithTags: ['type:client', 'type:testing'] },
  {
    sourceTag: 'framework:none',
    onlyDependOnLibsWithTags: ['type:kit', 'type:pure', 'type:testing'],
    bannedExternalImports: ['@nestjs/*', 'typeorm', 'rxjs', 'fastify'],
  },
  { sourceTag: 'scope:keys', onlyDependOnLibsWithTags: ['scope:keys', 'scope:shared'] },
  { sourceTag: 'scope:dsync', onlyDependOnLibsWithTags: ['scope:dsync', 'scope:shared'] },
  { sourceTag: 'scope:forms', onlyDependOnLibsWithTags: ['scope:forms', 'scope:shared'] },
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
];

/** @param allow imports that are exceptions */
const moduleBoundaries = (allow) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    { enforceBuildableLibDependency: false, allow, depConstraints },
  ],
});
const harness = [
  '#local-stack/**',
  '#release/**',
  '**/directory-sync/test/**',
  '../tools/**',
  '../../tools/**',
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '.build/**',
      '**/node_modules/**',
      '.local/**',
      '.nx/**',
      'coverage/**',
      '**/*.gen.ts',
    ],
  },
  {
    files: ['**/*.{ts,mjs}'],
    // Comments that turn off a rule may be for oxlint.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { gatehouse: { rules: { 'no-cycle': noCycle } } },
    rules: {
      'gatehouse/no-cycle': 'error',
      'no-restricted-syntax': ['error', ...spreadLiterals],
    },
  },
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    rules: moduleBoundaries(harness),
  },
  {
    // Its tests start a process with all services.
    files: ['apps/cli/test/**/*.ts'],
    rules: moduleBoundaries([...harness, '^(?:\\.\\./)+gatehouse/test/']),
  },
  {
    files: ['apps/gatehouse/**/*.ts'],
    rules: moduleBoundaries([
      ...harness,
      '^(?:\\.\\./)+(?:key-service|dsync-api|dsync-worker|identity-forms|console)/src/',
      '^(?:\\.\\./)+deploy/test/',
      '^(?:\\.\\./)+dsync-e2e/test/faults/own-stores',
      '^(?:\\.\\./)+libs/import/src/main',
      '^(?:\\.\\./)+tools/(?:npm-package|reference)/',
    ]),
  },
  {
    // Tests import the package by its name, as applications do, and the frameworks that it is for.
    files: ['libs/client/{test/**/*,src/**/*.spec}.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: ['**/*.ts'],
    ignores: specs,
    rules: {
      'max-statements': ['error', { max: 30 }],
      complexity: ['error', { max: 20 }],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: [
      ...specs,
      ...tools,
      '**/*.config.ts',
      'libs/kit/src/settings/**',
      'libs/nest-kit/src/config/**',
      'libs/client/src/connection/**',
      'apps/cli/src/environment.ts',
      'apps/gatehouse/src/config.ts',
    ],
    rules: {
      'no-restricted-properties': ['error', environment, wallClock],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: '@gatehouse/testing', message: 'Only tests may use it.' }] },
      ],
    },
  },
  {
    files: timesOfDay,
    ignores: specs,
    rules: { 'no-restricted-properties': ['error', environment] },
  },
  {
    files: ['**/*.ts'],
    rules: {
      // Files with decorators are left out by the rule: Nest reads the imported classes at run time.
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      'no-restricted-syntax': ['error', ...spreadLiterals, typeImports],
    },
  },
  {
    files: ['{apps,libs}/*/src/**/*.{int-spec,e2e-spec,fault-spec,timed-spec}.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...spreadLiterals, typeImports, storeTests],
    },
  },
);
