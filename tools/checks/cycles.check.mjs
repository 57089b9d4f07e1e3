// @ts-check
// Shows that the linter refuses import cycles and long files, and accepts what the rules allow.
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { check, finish } from './check.mjs';

/** Each adds an import to a file that exists; the graph of the other files is the real one. */
const imports = [
  {
    what: 'two files that import each other are refused',
    from: 'libs/crypto/src/crypto.errors.ts',
    text: "import './sealing.js';",
    refused: true,
  },
  {
    what: 'two folders that import each other are refused',
    from: 'libs/service-kit/src/logging/logger.ts',
    text: "import '../redis/redis-connection.js';",
    refused: true,
  },
  {
    what: 'a cycle over a third folder is refused',
    from: 'libs/service-kit/src/logging/logger.ts',
    text: "import '../messaging/redis-transport.js';",
    refused: true,
  },
  {
    what: 'a type-only import counts',
    from: 'libs/service-kit/src/logging/logger.ts',
    text: "import type { RedisConnection } from '../redis/redis-connection.js';",
    refused: true,
  },
  {
    what: 'a re-export counts',
    from: 'libs/service-kit/src/logging/logger.ts',
    text: "export * from '../redis/redis-connection.js';",
    refused: true,
  },
  {
    what: 'an import in the direction of the others is accepted',
    from: 'libs/service-kit/src/redis/redis-connection.ts',
    text: "import '../logging/logger.js';",
    refused: false,
  },
  {
    what: 'a test may import any layer',
    from: 'libs/service-kit/src/logging/logger.spec.ts',
    text: "import '../redis/redis-connection.js';",
    refused: false,
  },
];

const eslint = new ESLint({ cwd: fileURLToPath(new URL('../../', import.meta.url)) });

for (const { what, from, text, refused } of imports) {
  await check(what, async () => {
    if ((await rulesBroken(from, `${text}\n`)).includes('gatehouse/no-cycle') === refused) return;
    throw new Error(`${from}: \`${text}\` is ${refused ? 'accepted' : 'refused'}`);
  });
}

for (const [lines, refused] of /** @type {const} */ ([
  [300, false],
  [301, true],
])) {
  await check(`a file of ${lines} lines is ${refused ? 'refused' : 'accepted'}`, async () => {
    const broken = await rulesBroken('tools/checks/check.mjs', '// line\n'.repeat(lines));
    if (broken.includes('max-lines') !== refused) throw new Error(`broken: ${broken.join(', ')}`);
  });
}

finish();

/**
 * @param {string} filePath
 * @param {string} text
 * @returns {Promise<(string | null)[]>} the rules that the text breaks
 */
async function rulesBroken(filePath, text) {
  const [result] = await eslint.lintText(text, { filePath });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}
