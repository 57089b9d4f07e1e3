// @ts-check
/**
 * Which line of which source each part of a script comes from, in a form that is searched where it lies.
 * A source map would have to be read whole: for a service this takes a second of processor time, in which
 * it answers nothing, and 150 MiB.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { decode } from '@jridgewell/sourcemap-codec';

/** Of a place: these bits are the line, the rest is the source. As in program.mjs. */
const LINE_BITS = 18;
/**
 * Writes beside a script where its parts begin, each with its place (32 bits each), and the names of the
 * sources.
 * @param {string} path of the script
 * @param {string} code as it was when its source map was made
 * @param {(code: string) => string} converted what was done to it since, character by character
 */
export function writePositions(path, code, converted) {
  /** @type {{ mappings: string, sources: string[] }} */
  const { mappings, sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
  const lines = code.split('\n');
  /** @type {number[]} */
  const parts = [];
  let lineStart = 0;
  let last = -1;
  for (const [number, segments] of decode(mappings).entries()) {
    const line = lines[number] ?? '';
    let column = 0;
    let offset = lineStart;
    for (const [generatedColumn, source, sourceLine] of segments) {
      if (source === undefined || sourceLine === undefined) continue;
      const place = source * 2 ** LINE_BITS + sourceLine;
      if (place === last) continue;
      offset += converted(line.slice(column, generatedColumn)).length;
      column = generatedColumn;
      parts.push(offset, place);
      last = place;
    }
    lineStart = offset + converted(line.slice(column)).length + 1;
  }
  writeFileSync(`${path}.positions`, new Uint32Array(parts));
  writeFileSync(
    `${path}.sources`,
    sources.map((source) => source.replace(/^(\.\.\/)+/, '')).join('\n'),
  );
}
