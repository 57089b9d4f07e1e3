// @ts-check
/**
 * Where each part of a script comes from, in a file that is searched without reading it whole. A source map
 * would have to be parsed: for a service this takes a second of processor time, in which it answers nothing,
 * and 150 MiB.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { decode } from '@jridgewell/sourcemap-codec';

/**
 * Writes beside a script the table of its parts, and the names of its sources. A part is four numbers of
 * 32 bits: where it begins in the script, and its source, line and column, all from zero.
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
  for (const [number, segments] of decode(mappings).entries()) {
    const line = lines[number] ?? '';
    let column = 0;
    let offset = lineStart;
    for (const [generatedColumn, source, sourceLine = 0, sourceColumn = 0] of segments) {
      if (source === undefined) continue;
      offset += converted(line.slice(column, generatedColumn)).length;
      column = generatedColumn;
      parts.push(offset, source, sourceLine, sourceColumn);
    }
    lineStart = offset + converted(line.slice(column)).length + 1;
  }
  writeFileSync(`${path}.positions`, new Uint32Array(parts));
  writeFileSync(
    `${path}.sources`,
    sources.map((source) => source.replace(/^(\.\.\/)+/, '')).join('\n'),
  );
}
