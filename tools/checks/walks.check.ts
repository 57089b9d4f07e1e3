/** Compares the walks in docs/architecture.md with the source. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspace } from '#local-stack/layout.mjs';

interface Step {
  layer: string;
  file: string;
  /** `function` or `Class.method`. */
  name: string;
}

const STEP = /^\| (\w+) +\| `([^`]+\.ts)` +\| `([\w.]+)` +\|$/gm;

const walks = readFileSync(join(workspace, 'docs/architecture.md'), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    steps: [...section.matchAll(STEP)].map(([, layer = '', file = '', name = '']) => ({
      layer,
      file,
      name,
    })),
  }))
  .filter(({ steps }) => steps.length > 0);

it('there are three walks', () => {
  assert.equal(walks.length, 3);
});

it.each(walks)('$title: each layer, with functions that call the next', ({ steps }) => {
  const layers = [...new Set(steps.map(({ layer }) => layer))];
  assert.deepEqual(layers, ['Route', 'Service', 'Repository', 'Database']);
  assert.ok(steps.length <= 5, 'a walk is short');
  const sources = steps.map(sourceOf);
  steps.slice(1).forEach(({ name }, index) => {
    const called = name.split('.').at(-1);
    const message = `${steps[index]?.name} does not call ${name}`;
    assert.match(sources[index] ?? '', new RegExp(`\\b${called}\\b`), message);
  });
});

/** The text of a function, followed by those declarations of the same file that it uses. */
function sourceOf({ file, name }: Step): string {
  assert.ok(existsSync(join(workspace, file)), `${file} does not exist`);
  const declarations = declarationsOf(file);
  assert.ok(declarations.has(name), `${file} has no ${name}`);
  const used = new Set([name]);
  for (const each of used) {
    const text = declarations.get(each) ?? '';
    for (const other of declarations.keys()) {
      if (new RegExp(`\\b${other.split('.').at(-1)}\\b`).test(text)) used.add(other);
    }
  }
  return [...used].map((each) => declarations.get(each)).join('\n');
}

/** The text of the functions, methods and constants of a file, by name. */
function declarationsOf(file: string): Map<string, string> {
  const text = readFileSync(join(workspace, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const named = source.statements.flatMap((statement): [string, ts.Node][] => {
    if (ts.isFunctionDeclaration(statement)) return [[nameOf(statement), statement]];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map((each) => [nameOf(each), each]);
    }
    if (!ts.isClassDeclaration(statement)) return [];
    return statement.members.map((each) => [`${nameOf(statement)}.${nameOf(each)}`, each]);
  });
  return new Map(named.map(([name, node]) => [name, node.getText(source)]));
}

function nameOf({ name }: { name?: ts.Node }): string {
  return name && ts.isIdentifier(name) ? name.text : '';
}
