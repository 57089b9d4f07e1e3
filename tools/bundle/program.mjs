// Runs the script beside this file, `<name>.script.js`, with the code that V8 compiled of it when it was
// built: parsing it would take more time than all else that a start does. V8 ignores code of another
// version of Node.js. Stack traces name the sources; their map is read when the first is printed.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const path = fileURLToPath(import.meta.url).replace(/\.js$/, '.script.js');
const cachePath = `${path}.cache`;
/** @type {SourceMap | undefined} */
let map;

Error.prepareStackTrace = (error, frames) =>
  [header(error), ...frames.map((frame) => `    at ${located(frame)}`)].join('\n');

// V8 has set up its heap by this option, and Node.js 20 refuses code that was compiled with another one.
setFlagsFromString('--max-old-space-size=0');
const script = new Script(readFileSync(path, 'latin1'), {
  filename: path,
  ...(existsSync(cachePath) && { cachedData: readFileSync(cachePath) }),
});
script.runInThisContext()(createRequire(path), path, dirname(path));

/** @param {Error} error */
function header(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** @param {NodeJS.CallSite} frame */
function located(frame) {
  // oxlint-disable-next-line typescript/no-base-to-string -- V8 gives call sites a text of their own
  const text = frame.toString();
  // Compiled code names the file that it was compiled from, which may have been copied since.
  const file = frame.getFileName() ?? '';
  if (basename(file) !== basename(path)) return text;
  const [line, column] = [frame.getLineNumber() ?? 1, frame.getColumnNumber() ?? 1];
  map ??= new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return text;
  const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
  const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return text.replace(`${file}:${line}:${column}`, place);
}
