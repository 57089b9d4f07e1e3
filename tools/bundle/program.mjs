// Runs the script beside this file, `<name>.script.js`, with the code that V8 compiled of it when it was
// built: parsing it would take more time than all else that a start does. V8 ignores code of another
// version of Node.js. Stack traces name the sources; see positions.mjs.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const path = fileURLToPath(import.meta.url).replace(/\.js$/, '.script.js');
const cachePath = `${path}.cache`;
const PART_BYTES = 8;
const LINE_BITS = 18;
/** @type {{ parts: Buffer, names: string[] } | undefined} */
let positions;

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
  const place = placeOf(frame.getPosition());
  return place
    ? text.replace(`${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`, place)
    : text;
}

/** @param {number} offset in the script */
function placeOf(offset) {
  const { parts, names } = (positions ??= {
    parts: readFileSync(`${path}.positions`),
    names: readFileSync(`${path}.sources`, 'utf8').split('\n'),
  });
  let [low, high] = [0, parts.length / PART_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (parts.readUInt32LE(middle * PART_BYTES) <= offset) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return undefined;
  const place = parts.readUInt32LE((low - 1) * PART_BYTES + 4);
  return `${names[place >>> LINE_BITS]}:${(place & (2 ** LINE_BITS - 1)) + 1}`;
}
