/** The samples for TypeScript fit the types of the client. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, workspace } from '#local-stack/layout.mjs';
import { endpointsOf } from './operations.js';
import { referenceDocument } from './reference-document.js';

it('every call compiles', () => {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, 'samples-'));
  try {
    const calls = endpointsOf(referenceDocument()).flatMap(({ operation }) =>
      (operation['x-codeSamples'] ?? []).filter(({ lang }) => lang === 'TypeScript'),
    );
    assert.ok(calls.length > 150);
    const names = calls.flatMap(
      ({ source }) => source.match(/\b[a-z]+(?:[A-Z][a-z]+)*(?:Id|Secret)\b(?!:)/g) ?? [],
    );
    const file = join(folder, 'samples.ts');
    writeFileSync(
      file,
      [
        `import { createGatehouse } from '@gatehouse/client';`,
        'const gatehouse = createGatehouse();',
        ...[...new Set(names)].map((name) => `declare const ${name}: string;`),
        ...calls.map(({ source }) => `{\n${source}\n}`),
      ].join('\n'),
    );
    const options = { extends: join(workspace, 'tsconfig.base.json'), files: [file] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const tsc = join(workspace, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    assert.equal(stdout, '');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
