// Shows that the lint rules of this repository refuse what they should, and nothing else.
import { ESLint } from 'eslint';
import { workspace } from '#local-stack/layout.mjs';

const BOUNDARIES = [
  {
    from: 'libs/scim/src/index.ts',
    source: '@gatehouse/crypto',
    allowed: true,
    why: 'a pure library may use another',
  },
  {
    from: 'libs/scim/src/index.ts',
    source: '@gatehouse/kit/errors',
    allowed: false,
    why: 'a pure library knows no kit',
  },
  {
    from: 'libs/crypto/src/index.ts',
    source: 'pg',
    allowed: false,
    why: 'a pure library knows no database',
  },
  {
    from: 'libs/crypto/src/index.ts',
    source: '@nestjs/common',
    allowed: false,
    why: 'a pure library knows no framework',
  },
  {
    from: 'libs/kit/src/errors/index.ts',
    source: '@nestjs/common',
    allowed: false,
    why: 'the kit knows no framework',
  },
  {
    from: 'libs/kit/src/errors/index.ts',
    source: '@gatehouse/nest-kit/errors',
    allowed: false,
    why: 'the kit does not know its Nest part',
  },
  {
    from: 'libs/kit/src/errors/index.ts',
    source: '@gatehouse/directory-sync',
    allowed: false,
    why: 'the kit knows no domain',
  },
  {
    from: 'apps/key-service/src/main.ts',
    source: '@gatehouse/directory-sync',
    allowed: false,
    why: 'keys cannot see directory sync',
  },
  {
    from: 'apps/identity-forms/src/main.ts',
    source: '../../key-service/src/main.js',
    allowed: false,
    why: 'no project imports an app',
  },
  {
    from: 'apps/key-service/src/main.ts',
    source: '../../../libs/crypto/src/index.js',
    allowed: false,
    why: 'a library is imported by its name',
  },
];

/** Each adds an import to a file that exists; the graph of the other files is the real one. */
const IMPORTS = [
  {
    what: 'two files that import each other are refused',
    from: 'libs/crypto/src/crypto.errors.ts',
    text: "import './sealing.js';",
    refused: true,
  },
  {
    what: 'two folders that import each other are refused',
    from: 'libs/nest-kit/src/logging/logger.ts',
    text: "import '../exchange/event-publisher.js';",
    refused: true,
  },
  {
    what: 'a cycle over a third folder is refused',
    from: 'libs/nest-kit/src/logging/logger.ts',
    text: "import '../health/health.module.js';",
    refused: true,
  },
  {
    what: 'a type-only import counts',
    from: 'libs/nest-kit/src/logging/logger.ts',
    text: "import type { EventPublisher } from '../exchange/event-publisher.js';",
    refused: true,
  },
  {
    what: 'a re-export counts',
    from: 'libs/nest-kit/src/logging/logger.ts',
    text: "export * from '../exchange/event-publisher.js';",
    refused: true,
  },
  {
    what: 'an import in the direction of the others is accepted',
    from: 'libs/nest-kit/src/exchange/event-publisher.ts',
    text: "import '../logging/logger.js';",
    refused: false,
  },
  {
    what: 'a test may import any layer',
    from: 'libs/nest-kit/src/logging/logger.spec.ts',
    text: "import '../exchange/event-publisher.js';",
    refused: false,
  },
];

const eslint = new ESLint({ cwd: workspace });

describe('the dependency rule of docs/architecture.md', () => {
  it.each(BOUNDARIES)('$why: $source in $from', async ({ from, source, allowed }) => {
    const rules = await rulesBroken(from, `import '${source}';\n`);
    expect(rules.includes('@nx/enforce-module-boundaries')).toBe(!allowed);
  });
});

describe('no-cycle', () => {
  it.each(IMPORTS)('$what', async ({ from, text, refused }) => {
    const rules = await rulesBroken(from, `${text}\n`);
    expect(rules.includes('gatehouse/no-cycle')).toBe(refused);
  });
});

describe('imports of types', () => {
  it.each([
    ["import type { KeyRing } from './key-ring.js';", 'no-restricted-syntax'],
    ["import { KeyRing } from './key-ring.js';", '@typescript-eslint/consistent-type-imports'],
    ["import { type KeyRing } from './key-ring.js';", undefined],
  ])('%s: refused by %s', async (line, refusedBy) => {
    const text = `${line}\nexport type Ring = KeyRing;\n`;
    const rules = await rulesBroken('libs/crypto/src/sealing.ts', text);
    expect(rules).toEqual(refusedBy === undefined ? [] : [refusedBy]);
  });

  it('of a class with decorators may be of a value, for Nest', async () => {
    const text = `import { LaneQueue } from './lane.js';
const injected: ClassDecorator = () => undefined;
@injected
export class Subject {
  constructor(readonly queue: LaneQueue) {}
}
`;
    expect(await rulesBroken('apps/key-service/src/main.ts', text)).not.toContain(
      '@typescript-eslint/consistent-type-imports',
    );
  });
});

describe('spreads of literals', () => {
  it.each([
    ['export const all = { a: 1, ...{ b: 2 } };', true],
    ['export const all = [1, ...[2, 3]];', true],
    ['export const all = Math.max(...[1, 2]);', true],
    ['const some = { a: 1 };\nexport const all = { ...some, ...(some.a > 1 && { b: 2 }) };', false],
  ])('%s: refused is %s', async (text, refused) => {
    const rules = await rulesBroken('libs/crypto/src/sealing.ts', `${text}\n`);
    expect(rules.includes('no-restricted-syntax')).toBe(refused);
  });
});

/** The names of the rules that the text breaks as the content of a file. */
async function rulesBroken(filePath: string, text: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(text, { filePath });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}
