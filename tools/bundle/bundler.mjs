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
const BANNER = `import './reflect-metadata.js';
import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/**
 * What TypeORM loads and Gatehouse never reaches: databases other than PostgreSQL, the colors of its
 * logger, and the search for entities by file name.
 */
const UNREACHED =
  /node_modules\/(?:@sqltools\/formatter|sql-highlight|tinyglobby|typeorm\/driver\/(?:aurora-mysql|aurora-postgres|better-sqlite3|capacitor|cockroachdb|cordova|expo|mongodb|mysql|nativescript|oracle|react-native|sap|spanner|sqlite-abstract|sqljs|sqlserver))\//;
const NOT_BUNDLED = `module.exports = new Proxy({}, {
  get: (_target, name) => name === '__esModule' || class NotBundled {},
});`;

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
    banner: { js: BANNER },
    // Without it, pg finds out by a Response where it runs, for which Node.js 20 loads its fetch.
    define: { navigator: '{"userAgent":"Node.js"}' },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    plugins: [compiledBySwc(), leanPackages(), reflectMetadata(folder), assets(folder)],
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
 * Leaves out what packages offer beside what is used: their modules say so (ES modules, without side
 * effects), or are known not to be reached (databases other than PostgreSQL).
 * @returns {Plugin}
 */
function leanPackages() {
  return {
    name: 'lean-packages',
    setup(build) {
      const modules = (/** @type {string} */ path) => ({
        path: join(workspace, 'node_modules', path),
        sideEffects: false,
      });
      build.onResolve({ filter: /^rxjs$/ }, () => modules('rxjs/dist/esm/index.js'));
      build.onResolve({ filter: /^rxjs\/operators$/ }, () =>
        modules('rxjs/dist/esm/operators/index.js'),
      );
      build.onResolve({ filter: /^class-(?:validator|transformer)$/ }, ({ path, importer }) =>
        // Nest's ValidationPipe, which no service uses, would take all of them.
        importer.includes('node_modules/@nestjs/')
          ? { path, external: true }
          : modules('class-validator/esm2015/index.js'),
      );
      // Imported at run time where it may be missing, which would take all of its transports. Nest
      // itself needs one class of it; the health checks of terminus are not used.
      build.onResolve({ filter: /^@nestjs\/microservices$/ }, ({ path, kind, importer }) => {
        if (kind !== 'dynamic-import') return undefined;
        return importer.includes('node_modules/@nestjs/core/')
          ? modules('@nestjs/microservices/nest-microservice.js')
          : { path, external: true };
      });
      build.onResolve({ filter: /^@nestjs\/|^\.{1,2}\// }, async (args) => {
        const { path, kind, resolveDir, importer, pluginData } = args;
        const isNest = path.startsWith('@nestjs/') || importer.includes('node_modules/@nestjs/');
        if (pluginData === 'resolved' || !isNest) return undefined;
        const options = { kind, resolveDir, importer, pluginData: 'resolved' };
        const resolved = await build.resolve(path, options);
        return resolved.errors.length > 0 ? undefined : { ...resolved, sideEffects: false };
      });
      build.onLoad({ filter: UNREACHED }, () => ({ contents: NOT_BUNDLED }));
    },
  };
}

/**
 * Decorators need it before any other module, and the files of a bundle run in an order of their own.
 * So each of them imports it first.
 * @param {string} folder
 * @returns {Plugin}
 */
function reflectMetadata(folder) {
  return {
    name: 'reflect-metadata',
    setup(build) {
      build.onLoad({ filter: /node_modules\/reflect-metadata\/.*\.js$/ }, () => ({ contents: '' }));
      build.onEnd(() =>
        cpSync(
          join(workspace, 'node_modules/reflect-metadata/Reflect.js'),
          join(folder, 'reflect-metadata.js'),
        ),
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
