/** Reads files of records: JSON lines, a JSON list, or CSV with a line of names (RFC 4180). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '@gatehouse/kit/input';
import { StackFault, reasonOf } from '#local-stack/fault.mjs';

export type Row = Record<string, unknown>;

/** @throws StackFault that names the file and the line, and never what is in it */
export function readRows(file: string): Row[] {
  const text = readText(file);
  if (/\.csv$/i.test(file)) return readCsv(file, text);
  const values = text.trimStart().startsWith('[')
    ? parsed<unknown[]>(file, 1, text)
    : text.split('\n').flatMap((line, index) => {
        return line.trim() === '' ? [] : [parsed(file, index + 1, line)];
      });
  return values.map((value, index) => {
    if (isObject(value)) return value;
    throw new StackFault(`${file}, record ${index + 1}, is not an object`, undefined, 2);
  });
}

function readText(file: string): string {
  try {
    return readFileSync(callersPath(file), 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'There is no such file' : reasonOf(error);
    throw new StackFault(`${file} cannot be read: ${reason}`, undefined, 2);
  }
}

function parsed<T = unknown>(file: string, line: number, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new StackFault(`${file}, line ${line}, is not JSON`, undefined, 2);
  }
}

/** A field is quoted, with quotes doubled, or holds neither quote, comma nor line break. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function readCsv(file: string, text: string): Row[] {
  const records: string[][] = [[]];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const found = FIELD.exec(text);
    if (!found) {
      throw new StackFault(`${file}, record ${records.length}, is not CSV`, undefined, 2);
    }
    const [, quoted, plain = '', end] = found;
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') records.push([]);
  }
  const [names = [], ...rows] = records.filter((record) => record.some((field) => field !== ''));
  return rows.map((fields) =>
    Object.fromEntries(
      names.flatMap((name, index) => (fields[index] ? [[name.trim(), fields[index]]] : [])),
    ),
  );
}

/** A path of the command line. npm runs commands in the folder of the package, not in that of the caller. */
export function callersPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}
