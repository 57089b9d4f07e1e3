// Runs the script beside this file, `<name>.script.js`, with the code that V8 compiled of it when it was
// built: parsing it would take more time than all else that a start does. V8 ignores code of another
// version of Node.js. Stack traces name the sources; see positions.mjs.
import { existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const path = fileURLToPath(import.meta.url).replace(/\.js$/, '.script.js');
const cachePath = `${path}.cache`;
const NUMBER_BYTES = 4;
const PART_BYTES = 4 * NUMBER_BYTES;
const part = Buffer.alloc(PART_BYTES);
/** @type {{ file: number, length: number, names: string[] } | undefined} */
let table;
/** By offset in the script. @type {Map<number, string | undefined>} */
const places = new Map();

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
  if (!places.has(offset)) places.set(offset, findPlace(offset));
  return places.get(offset);
}

/** @param {number} offset in the script */
function findPlace(offset) {
  const { file, length, names } = (table ??= openTable());
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    readSync(file, part, 0, PART_BYTES, middle * PART_BYTES);
    if (part.readUInt32LE(0) <= offset) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return undefined;
  readSync(file, part, 0, PART_BYTES, (low - 1) * PART_BYTES);
  const source = part.readUInt32LE(NUMBER_BYTES);
  const line = part.readUInt32LE(2 * NUMBER_BYTES) + 1;
  const column = part.readUInt32LE(3 * NUMBER_BYTES) + 1;
  return `${names[source]}:${line}:${column}`;
}

/** An empty table if the files are missing: a fault here would hide the error that is being printed. */
function openTable() {
  try {
    const names = readFileSync(`${path}.sources`, 'utf8').split('\n');
    const file = openSync(`${path}.positions`, 'r');
    return { file, length: fstatSync(file).size / PART_BYTES, names };
  } catch {
    return { file: -1, length: 0, names: [] };
  }
}
