/** Keeps docs/providers equal to the guides; UPDATE_SNAPSHOTS=1 writes it anew. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { format } from 'prettier';

interface Guides {
  GUIDES: { id: string }[];
  guideFiles: (guide: object) => Map<string, string>;
}

const FOLDER = join(workspace, 'docs', 'providers');

it('docs/providers has the page and the pictures of each guide', async () => {
  const { GUIDES, guideFiles } = (await import(
    join(workspace, 'dist/libs/setup/src/guides/index.js')
  )) as Guides;
  const files = new Map(
    GUIDES.filter(({ id }) => id !== 'other').flatMap((guide) => [...guideFiles(guide)]),
  );
  for (const [name, text] of files) {
    if (name.endsWith('.md')) files.set(name, await format(text, { parser: 'markdown' }));
  }
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
      writeFileSync(join(FOLDER, name), text);
    }
  }
  for (const [name, text] of files) expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  expect(namesIn('').filter((name) => name.endsWith('.md'))).toEqual(
    [...files.keys()].filter((name) => name.endsWith('.md')).sort(),
  );
  expect(namesIn('images').map((name) => `images/${name}`)).toEqual(
    [...files.keys()].filter((name) => name.startsWith('images/')).sort(),
  );
});

function namesIn(folder: string): string[] {
  return readdirSync(join(FOLDER, folder)).sort();
}
