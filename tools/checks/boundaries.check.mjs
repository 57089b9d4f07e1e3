// @ts-check
// The dependency rule of docs/architecture.md is only as good as the linter that enforces it: this
// shows that imports against it are refused, and that one within it is not.
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const rule = '@nx/enforce-module-boundaries';

/** @type {{ from: string, source: string, allowed: boolean, why: string }[]} */
const imports = [
  {
    from: 'libs/scim/src/index.ts',
    source: '@gatehouse/crypto',
    allowed: true,
    why: 'a pure library may use another',
  },
  {
    from: 'libs/scim/src/index.ts',
    source: '@gatehouse/service-kit',
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
    from: 'libs/service-kit/src/index.ts',
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
    why: 'nobody imports an app',
  },
  {
    from: 'apps/key-service/src/main.ts',
    source: '../../../libs/crypto/src/index.js',
    allowed: false,
    why: 'a library is imported by its name',
  },
];

const eslint = new ESLint({ cwd: fileURLToPath(new URL('../../', import.meta.url)) });

for (const { from, source, allowed, why } of imports) {
  const [result] = await eslint.lintText(`import '${source}';\n`, { filePath: from });
  const refused = result?.messages.some(({ ruleId }) => ruleId === rule) ?? false;
  if (refused !== allowed) continue;
  console.error(
    `${from} importing ${source} is ${refused ? 'refused' : 'not refused'}, but ${why}`,
  );
  process.exitCode = 1;
}
