// @ts-check
// `node tools/bundle/bundle-cli.mjs`: bundles the command line to one file, .build/bundles/cli/gatehouse.cjs.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

await build({
  entryPoints: ['apps/cli/src/cli.ts'],
  outfile: '.build/bundles/cli/gatehouse.cjs',
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  tsconfig: 'tsconfig.base.json',
  define: { VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
});
