/** Reads a YAML file, or JSON, which is YAML too, and knows the lines of what is in it. */
import { readFileSync } from 'node:fs';
import { isMap, isNode, LineCounter, parseDocument, type Document } from 'yaml';
import { EXIT, Failure } from '../failure.js';

export type Path = readonly (string | number)[];

export interface YamlFile {
  readonly value: unknown;
  /** The line of a member, or of the nearest that there is around it; from one. */
  readonly lineOf: (path: Path) => number;
}

/** @throws Failure if the file cannot be read, or with the line that is no YAML */
export function readYaml(path: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(textOf(path), { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw invalid(`${path}: ${error.message}`);
  try {
    return {
      value: document.toJS() as unknown,
      lineOf: (member) => lines.linePos(offsetOf(document, member)).line,
    };
  } catch (failure) {
    throw invalid(`${path}: ${(failure as Error).message}`);
  }
}

export function invalid(message: string): Failure {
  return new Failure(message, EXIT.USAGE);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function offsetOf(document: Document.Parsed, path: Path): number {
  const parent = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true);
  // The name of a member comes before its value, which may begin lines below.
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => String(key) === String(path.at(-1)))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}
