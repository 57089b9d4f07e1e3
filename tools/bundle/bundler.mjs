// @ts-check
/**
 * Makes one bundle of a program: SWC compiles our own sources, because it writes the metadata of
 * decorators by which Nest finds dependencies, and esbuild links them with their packages. What is
 * imported dynamically becomes a file of its own, which is loaded at its first use.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transform } from '@swc/core';
import { context } from 'esbuild';
import { writePositions } from './positions.mjs';
import { writeReference } from './reference.mjs';

/** @typedef {import('esbuild').Plugin} Plugin */
/**
 * @typedef {object} BundleOptions
 * @property {string} [started] the program whose compiled code contains that of a start: slower to build
 * @property {() => void} [whenBuilt] called after each build without errors
 */

const workspace = join(import.meta.dirname, '..', '..');

const PROGRAMS = ['main', 'migrate', 'rotate-signing-key'];

/** Packages with native code, and those whose files a service sends. They stay in node_modules. */
export const UNBUNDLED = ['@node-rs/argon2', '@node-rs/bcrypt', '@bull-board/ui'];

/** Optional parts of packages, which are not installed. A new one fails the build with its name. */
export const NOT_INSTALLED = [
  '@fastify/multipart',
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

/**
 * The same code of V8 in every build: its tables are hashed alike, and nothing depends on how long a function
 * has not run, or on what another thread does meanwhile. No garbage is collected, because the code contains some bytes
 * that V8 never sets, and memory is empty until it is used again. None of them changes what the code does.
 */
const COMPILE_FLAGS = [
  '--hash-seed=1',
  '--no-flush-bytecode',
  '--predictable',
  '--single-threaded',
  '--no-opt',
  '--no-use-osr',
  '--no-sparkplug',
  '--no-maglev',
  '--initial-heap-size=4096',
  '--min-semi-space-size=256',
  '--max-semi-space-size=256',
];
/** How long a program may run while its code is compiled. */
const COMPILE_MS_MAX = 60_000;

/** A script, and not a module, because only the code of scripts can be kept; see code-cache.mjs. */
const BANNER = `(function (require, __filename, __dirname) {
const __url = require('node:url').pathToFileURL(__filename).href;
const __navigator = { userAgent: 'Node.js' };`;
const FOOTER = '})';

/**
 * Modules that TypeORM loads and Gatehouse never reaches: databases other than PostgreSQL, the colors of
 * its logger, and the search for entities by file name.
 */
const UNREACHED =
  /node_modules\/(?:@sqltools\/formatter|sql-highlight|tinyglobby|typeorm\/driver\/(?:aurora-mysql|aurora-postgres|better-sqlite3|capacitor|cockroachdb|cordova|expo|mongodb|mysql|nativescript|oracle|react-native|sap|spanner|sqlite-abstract|sqljs|sqlserver))\//;
const NOT_BUNDLED = `module.exports = new Proxy({}, {
  get: (_target, name) => name === '__esModule' || class NotBundled {},
});`;

/** Nest's own logger, which no service uses: its format of local times takes 20 ms to load. */
const CONSOLE_LOGGER = /@nestjs\/common\/services\/console-logger\.service\.js$/;
const LOCAL_TIMES = /new Intl\.DateTimeFormat\(undefined, \{[^}]*\}\)/;

/** Files that a source reads from its own folder. */
const ASSETS = {
  'libs/pages/src/layout.ts': ['pages.css'],
  'apps/console/src/site/console-assets.ts': ['console.css', 'console.browser.js'],
  'apps/key-service/src/service.ts': ['key-service.openapi.json'],
  'apps/dsync-api/src/service.ts': ['dsync-api.openapi.json'],
  'apps/identity-forms/src/service.ts': ['identity-forms.openapi.json'],
};
/** The service that serves the reference of all services. */
const REFERENCE_SOURCE = 'apps/key-service/src/reference/reference.routes.ts';

/**
 * @param {string} app
 * @returns {Record<string, string>} the source of each program of the app, by its name
 */
export function programsOf(app) {
  const sources = PROGRAMS.map((program) => [program, `apps/${app}/src/${program}.ts`]);
  return Object.fromEntries(
    sources.filter(([, source = '']) => existsSync(join(workspace, source))),
  );
}

/**
 * @param {Record<string, string>} entryPoints source by the name of the program, such as
 *   `{ main: 'apps/key-service/src/main.ts' }`
 * @param {string} folder where the bundle goes
 * @param {BundleOptions} [options]
 * @returns {Promise<import('esbuild').BuildContext>} a build that is fast to repeat after a change
 */
export async function openBundle(entryPoints, folder, options = {}) {
  return context({
    absWorkingDir: workspace,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.script.js' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    tsconfig: 'tsconfig.base.json',
    external: [...UNBUNDLED, ...NOT_INSTALLED],
    banner: { js: BANNER },
    footer: { js: FOOTER },
    define: {
      'import.meta.url': '__url',
      // Without it, pg finds out by a Response where it runs, for which Node.js 20 loads its fetch.
      navigator: '__navigator',
    },
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    plugins: [
      compiledBySwc(Object.values(entryPoints)),
      leanPackages(),
      assets(folder),
      programs(Object.keys(entryPoints), folder, options),
    ],
  });
}

/**
 * @param {string[]} entryPoints
 * @returns {Plugin}
 */
export function compiledBySwc(entryPoints) {
  const entries = new Set(entryPoints.map((path) => join(workspace, path)));
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
        const { code } = await transform(source, { ...options, filename: path });
        // Decorators need it before any other module.
        const contents = entries.has(path) ? `import 'reflect-metadata';${code}` : code;
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
export function leanPackages() {
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
        if (resolved.errors.length > 0) return undefined;
        // It is also imported dynamically, and esbuild would leave out what then evaluates its modules.
        const sideEffects = resolved.path.includes('/@nestjs/microservices/');
        return { ...resolved, sideEffects };
      });
      build.onLoad({ filter: UNREACHED }, () => ({ contents: NOT_BUNDLED }));
      build.onLoad({ filter: CONSOLE_LOGGER }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        if (!LOCAL_TIMES.test(code)) throw new Error(`${path} has no format of times to leave out`);
        return { contents: code.replace(LOCAL_TIMES, '{ format: String }') };
      });
    },
  };
}

/**
 * Completes each program: what runs its script, and the compiled code.
 * @param {string[]} names
 * @param {string} folder
 * @param {BundleOptions} options
 * @returns {Plugin}
 */
function programs(names, folder, { started, whenBuilt }) {
  return {
    name: 'programs',
    setup(build) {
      build.onEnd(({ errors }) => {
        if (errors.length > 0) return;
        for (const name of names) {
          const script = resolve(workspace, folder, `${name}.script.js`);
          cpSync(join(import.meta.dirname, 'program.mjs'), join(folder, `${name}.js`));
          const code = readFileSync(script, 'utf8');
          writeFileSync(script, asciiOf(code), 'latin1');
          writePositions(script, code, asciiOf);
          keepCode(script, name === started);
        }
        whenBuilt?.();
      });
    },
  };
}

/**
 * The same script in ASCII, of which V8 keeps a byte for each character instead of two. esbuild escapes
 * other characters everywhere but in regular expressions and tagged templates.
 * @param {string} source
 */
function asciiOf(source) {
  const escaped = (/** @type {string} */ unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return source.replace(/[\u0080-\uffff]/g, escaped);
}

/**
 * @param {string} script
 * @param {boolean} isStarted
 */
function keepCode(script, isStarted) {
  const cache = `${script}.cache`;
  rmSync(cache, { force: true });
  const args = [join(import.meta.dirname, 'code-cache.mjs'), script, isStarted ? 'start' : ''];
  const { stderr } = spawnSync(process.execPath, [...COMPILE_FLAGS, ...args], {
    encoding: 'utf8',
    env: {},
    timeout: COMPILE_MS_MAX,
    killSignal: 'SIGKILL',
  });
  if (!existsSync(cache)) throw new Error(`${script} cannot be loaded:\n${stderr}`);
}

/**
 * @param {string} folder
 * @returns {Plugin}
 */
function assets(folder) {
  return {
    name: 'assets',
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        for (const [source, files] of Object.entries(ASSETS)) {
          if (metafile?.inputs[source] === undefined) continue;
          for (const file of files) {
            cpSync(join(workspace, dirname(source), file), join(folder, file));
          }
        }
        if (metafile?.inputs[REFERENCE_SOURCE] !== undefined) await writeReference(folder);
      });
    },
  };
}
