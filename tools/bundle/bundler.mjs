// @ts-check
/**
 * Makes one bundle of a program: SWC compiles our own sources, because it writes the metadata of
 * decorators by which Nest finds dependencies, and esbuild links them with their packages. What is
 * imported dynamically becomes a file of its own, which is loaded at its first use.
 */
import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';
import { context } from 'esbuild';

/** @typedef {import('esbuild').Plugin} Plugin */

const workspace = join(import.meta.dirname, '..', '..');

/** Packages with native code, and those whose files a service sends. They stay in node_modules. */
const UNBUNDLED = ['@node-rs/argon2', '@node-rs/bcrypt', '@bull-board/ui', 'swagger-ui-dist'];

/** Optional parts of packages, which are not installed. A new one fails the build with its name. */
const NOT_INSTALLED = [
  '@fastify/view',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@valkey/valkey-glide',
  'amqp-connection-manager',
  'kafkajs',
  'mqtt',
  'pg-native',
];

/** CommonJS packages load modules of Node.js by `require`, which ES modules do not have. */
const REQUIRE = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/** Files that a source reads from its own folder. */
const ASSETS = {
  'libs/pages/src/layout.ts': 'pages.css',
  'apps/key-service/src/service.ts': 'openapi.json',
  'apps/dsync-api/src/service.ts': 'openapi.json',
  'apps/identity-forms/src/service.ts': 'openapi.json',
};

/**
 * @param {Record<string, string>} entryPoints source by the name of the program, such as
 *   `{ main: 'apps/key-service/src/main.ts' }`
 * @param {string} folder where the bundle goes
 * @returns {Promise<import('esbuild').BuildContext>} a build that is fast to repeat after a change
 */
export async function openBundle(entryPoints, folder) {
  return context({
    absWorkingDir: workspace,
    entryPoints,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: 'tsconfig.base.json',
    external: [...UNBUNDLED, ...NOT_INSTALLED],
    banner: { js: REQUIRE },
    legalComments: 'none',
    logLevel: 'warning',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    plugins: [compiledBySwc(), reflectMetadata(folder), assets(folder)],
  });
}

/** @returns {Plugin} */
function compiledBySwc() {
  /** @type {Map<string, { source: string, contents: string }>} */
  const compiled = new Map();
  return {
    name: 'compiled-by-swc',
    async setup(build) {
      const { jsc } = JSON.parse(await readFile(join(workspace, '.swcrc'), 'utf8'));
      /** @type {import('@swc/core').Options} */
      const options = {
        swcrc: false,
        // esbuild resolves the imports.
        jsc: { ...jsc, baseUrl: undefined, paths: undefined },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      };
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const known = compiled.get(path);
        if (known?.source === source) return { contents: known.contents, loader: 'js' };
        const { code: contents } = await transform(source, { ...options, filename: path });
        compiled.set(path, { source, contents });
        return { contents, loader: 'js' };
      });
    },
  };
}

/**
 * Decorators need it before any other module, and the files of a bundle run in an order of their own.
 * As a module beside them it runs before each of those that import it.
 * @param {string} folder
 * @returns {Plugin}
 */
function reflectMetadata(folder) {
  const file = 'reflect-metadata.js';
  return {
    name: 'reflect-metadata',
    setup(build) {
      build.onResolve({ filter: /^reflect-metadata$/ }, () => ({
        path: `./${file}`,
        external: true,
      }));
      build.onEnd(() =>
        cpSync(join(workspace, 'node_modules/reflect-metadata/Reflect.js'), join(folder, file)),
      );
    },
  };
}

/**
 * @param {string} folder
 * @returns {Plugin}
 */
function assets(folder) {
  return {
    name: 'assets',
    setup(build) {
      build.onEnd(({ metafile }) => {
        for (const [source, asset] of Object.entries(ASSETS)) {
          if (metafile?.inputs[source] === undefined) continue;
          cpSync(join(workspace, dirname(source), asset), join(folder, asset));
        }
      });
    },
  };
}
