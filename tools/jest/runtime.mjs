// @ts-check
// Loads tests with Node's own `import`. Jest's runtime links every module anew for each file of tests,
// which costs two seconds of processor time where a file loads Nest and TypeORM.
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledFiles } from './compiled-files.mjs';

register('./module-hooks.mjs', import.meta.url);
const require = createRequire(import.meta.url);

/** Finds the source maps of files that `module-hooks.mjs` has compiled. */
class SourceMaps extends Map {
  /**
   * @override
   * @param {string} file path or URL, as stack traces have it
   */
  get(file) {
    if (!file.endsWith('.ts')) return undefined;
    return compiledFiles(file.startsWith('file:') ? fileURLToPath(file) : file).map;
  }
}

/** The runtime interface that `jest-runner` and `jest-circus` use. */
export default class BareRuntime {
  #sourceMaps = new SourceMaps();

  /** jest-circus keeps the tests of a file in the state of this module, so each file needs its own. */
  requireInternalModule(/** @type {string} */ path) {
    delete require.cache[path];
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(/** @type {string} */ path) {
    return import(pathToFileURL(path).href);
  }

  requireModule(/** @type {string} */ path) {
    return require(path);
  }

  getSourceMaps() {
    return this.#sourceMaps;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
  getAllCoverageInfoCopy() {}
}
