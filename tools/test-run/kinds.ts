/** Kinds of tests by the names of their files; jest.config.mjs has the same table. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

const SUFFIXES = {
  unit: 'spec',
  checks: 'check',
  integration: 'int-spec',
  e2e: 'e2e-spec',
  conformance: 'conformance-spec',
  faults: 'fault-spec',
  timed: 'timed-spec',
} as const;
const ROOTS = ['apps', 'bench', 'libs', 'conformance', 'deploy', 'tools'];

export type Kind = keyof typeof SUFFIXES;
export const KINDS = Object.keys(SUFFIXES) as Kind[];

/** Kinds of a run without options. The other kinds are slow by nature. */
export const USUAL_KINDS: readonly Kind[] = KINDS.filter(
  (kind) => kind !== 'faults' && kind !== 'timed',
);

/** Pace of a kind that is not slow by nature: all files, or those without or with `.slow.` in their name. */
export type Pace = 'all' | 'fast' | 'slow';

export function isKind(name: string): name is Kind {
  return Object.hasOwn(SUFFIXES, name);
}

/** Returns the kinds that have a file whose path contains the text. */
export function kindsOf(kinds: readonly Kind[], filter: string): Kind[] {
  const paths = ROOTS.flatMap((root) =>
    readdirSync(join(workspace, root), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, path),
    ),
  ).filter((path) => path.includes(filter));
  return kinds.filter((kind) => paths.some((path) => path.endsWith(`.${SUFFIXES[kind]}.ts`)));
}
