// @ts-check
// ESLint rule: within each folder, the entries (files and subfolders) import one another in one
// direction only. An import counts between the two entries below the nearest common folder, so
// `src/a/x.ts` -> `src/b/c/y.ts` is `a` -> `b` in `src`. A cycle of files is therefore refused too: it is
// a cycle of entries in some folder. Type-only imports count. Tests do not: they may use any layer.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** @typedef {{ from: string, to: string }} Import absolute paths of source files */

const TEST_FILE = /\.(?:[a-z0-9]+-)?spec\.ts$/;
const SOURCE_FILE = /\.(?:ts|mjs)$/;
/** Short enough for an editor, long enough for one run of the linter. */
const GRAPH_LIFETIME_MS = 30_000;

/**
 * The imports below a root, by the folder in which they count and by the entry that they come from.
 * @typedef {Map<string, Map<string, Import[]>>} Graph
 */

/** @type {Map<string, { graph: Graph, builtAt: number }>} */
const graphs = new Map();

/** @type {import('eslint').Rule.RuleModule} */
export const noCycle = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuse import cycles between files and between folders.' },
    messages: { cycle: "Import cycle in {{folder}}: '{{from}}' and '{{to}}' ({{path}})." },
    schema: [],
  },
  create(context) {
    const file = context.filename;
    const root = rootOf(relative(context.cwd, file));
    if (root === undefined || TEST_FILE.test(file)) return {};
    const inspect = (/** @type {any} */ node) => {
      const source = node.source?.value;
      const to = typeof source === 'string' ? targetOf(file, source) : undefined;
      if (to === undefined) return;
      const cycle = cycleThrough({ from: file, to }, graphOf(join(context.cwd, root)));
      if (cycle === undefined) return;
      const name = (/** @type {string} */ path) => relative(cycle.folder, path);
      context.report({
        node: node.source,
        messageId: 'cycle',
        data: {
          folder: relative(context.cwd, cycle.folder),
          from: entryOf(cycle.folder, file),
          to: entryOf(cycle.folder, to),
          path: cycle.back.map((each) => `${name(each.from)} imports ${name(each.to)}`).join(', '),
        },
      });
    };
    return {
      ImportDeclaration: inspect,
      ExportNamedDeclaration: inspect,
      ExportAllDeclaration: inspect,
      ImportExpression: inspect,
      TSImportType: inspect,
    };
  },
};

/**
 * @param {string} path relative to the workspace
 * @returns {string | undefined} the folder whose graph the file belongs to: the project's `src`, or
 *   the top-level folder for tools and benchmarks
 */
function rootOf(path) {
  const parts = path.split(sep);
  if (parts[0] === 'tools' || parts[0] === 'bench') return parts[0];
  return parts[2] === 'src' ? parts.slice(0, 3).join(sep) : undefined;
}

/**
 * @param {Import} edge
 * @param {Graph} graph
 * @returns {{ folder: string, back: Import[] } | undefined} the imports that lead back, one for each
 *   step between entries
 */
function cycleThrough({ from, to }, graph) {
  const folder = folderOf({ from, to });
  const start = entryOf(folder, to);
  const goal = entryOf(folder, from);
  if (start === goal) return undefined;
  const imports = graph.get(folder);
  /** @type {Map<string, Import[]>} */
  const paths = new Map([[start, []]]);
  for (const [entry, path] of paths) {
    if (entry === goal) return { folder, back: path };
    for (const each of imports?.get(entry) ?? []) {
      const next = entryOf(folder, each.to);
      if (!paths.has(next)) paths.set(next, [...path, each]);
    }
  }
  return undefined;
}

/**
 * @param {Import} edge
 * @returns {string} the nearest folder that has both files below it
 */
function folderOf({ from, to }) {
  let folder = dirname(from);
  while (!to.startsWith(folder + sep)) folder = dirname(folder);
  return folder;
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {string} the file or subfolder of `folder` that holds the path
 */
function entryOf(folder, path) {
  return path.slice(folder.length + 1).split(sep, 1)[0] ?? '';
}

/**
 * @param {string} root
 * @returns {Graph}
 */
function graphOf(root) {
  const known = graphs.get(root);
  if (known !== undefined && Date.now() - known.builtAt < GRAPH_LIFETIME_MS) return known.graph;
  /** @type {Graph} */
  const graph = new Map();
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!SOURCE_FILE.test(name) || TEST_FILE.test(name)) continue;
    for (const each of importsOf(join(root, name))) {
      if (!each.to.startsWith(root + sep)) continue;
      const folder = folderOf(each);
      const entry = entryOf(folder, each.from);
      const entries = graph.get(folder) ?? new Map();
      graph.set(folder, entries.set(entry, [...(entries.get(entry) ?? []), each]));
    }
  }
  graphs.set(root, { graph, builtAt: Date.now() });
  return graph;
}

/**
 * @param {string} file
 * @returns {Import[]}
 */
function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    const to = targetOf(file, fileName);
    return to === undefined ? [] : [{ from: file, to }];
  });
}

/**
 * @param {string} file
 * @param {string} source as the import writes it
 * @returns {string | undefined} the imported source file; undefined for a package
 */
function targetOf(file, source) {
  if (!source.startsWith('.')) return undefined;
  return resolve(dirname(file), source).replace(/\.js$/, '.ts');
}
