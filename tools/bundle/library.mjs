// @ts-check
/** Makes one ES module of a library, for other applications, with the types of what it exports. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { compiledBySwc, leanPackages, NOT_INSTALLED } from './bundler.mjs';
import { workspace } from '../local-stack/layout.mjs';

/** Packages in CommonJS load modules of Node.js by it. */
const BANNER = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;
const PACKAGE_OF = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^licen[cs]e/i;

/**
 * Writes `index.js`, `index.d.ts` and `THIRD-PARTY-LICENSES`.
 * @param {string} entry such as `libs/directory-sync/src/embedded/index.ts`
 * @param {string} folder
 * @param {string[]} dependencies packages that stay imports
 */
export async function bundleLibrary(entry, folder, dependencies) {
  const { metafile } = await build({
    absWorkingDir: workspace,
    entryPoints: { index: entry },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: 'tsconfig.base.json',
    external: [...dependencies, ...NOT_INSTALLED],
    banner: { js: BANNER },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [withoutUnused(), compiledBySwc([entry]), leanPackages()],
  });
  const [{ inputs } = { inputs: {} }] = Object.values(metafile.outputs);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licensesOf(Object.keys(inputs)));
  await bundleTypes(entry, folder);
}

/**
 * No module of ours does anything by being imported, so one that is not used is left out.
 * @returns {import('esbuild').Plugin}
 */
function withoutUnused() {
  return {
    name: 'without-unused',
    setup(builder) {
      builder.onResolve({ filter: /^@gatehouse\/|^\.{1,2}\// }, async ({ path, ...args }) => {
        const isOwn = !args.importer.includes('node_modules');
        if (!isOwn || args.pluginData === 'resolved') return undefined;
        const resolved = await builder.resolve(path, { ...args, pluginData: 'resolved' });
        return { ...resolved, sideEffects: false };
      });
    },
  };
}

/** @param {string[]} files that are in the bundle */
function licensesOf(files) {
  const packages = new Set(files.flatMap((file) => PACKAGE_OF.exec(file)?.[1] ?? []));
  const texts = [...packages].sort().map((name) => {
    const folder = join(workspace, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => LICENSE_FILE.test(each));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * In two steps: what only constructors and private members need is not part of the types.
 * @param {string} entry
 * @param {string} folder
 */
async function bundleTypes(entry, folder) {
  const file = join(folder, 'index.d.ts');
  writeFileSync(file, publicPart(await declarationsOf(join(workspace, entry))));
  writeFileSync(file, await declarationsOf(file));
}

/**
 * @param {string} input
 * @returns {Promise<string>} all declarations that it needs, but those of packages
 */
async function declarationsOf(input) {
  const own = (/** @type {string} */ id) => /^(\.|\/|@gatehouse\/)/.test(id);
  const bundle = await rollup({
    input,
    external: (id) => !own(id),
    plugins: [dts({ tsconfig: join(workspace, 'tsconfig.base.json') })],
    onwarn: () => undefined,
  });
  const { output } = await bundle.generate({ format: 'es' });
  return output[0].code;
}

/** @param {string} code declarations */
function publicPart(code) {
  const { statements } = ts.createSourceFile('index.d.ts', code, ts.ScriptTarget.Latest);
  const members = statements.filter(ts.isClassDeclaration).flatMap((each) => [...each.members]);
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return members
    .filter(
      (each) => ts.isConstructorDeclaration(each) || ts.getCombinedModifierFlags(each) & hidden,
    )
    .reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end), code);
}
