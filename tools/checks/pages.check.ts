/** Compares the documentation with the code: links, settings, metrics. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { settingsOf } from './settings.js';

const OWN_PAGES = new Map([
  ['key-service', 'docs/key-service.md'],
  ['dsync-api', 'docs/directory-sync.md'],
  ['dsync-worker', 'docs/directory-sync.md'],
  ['identity-forms', 'docs/identity-forms.md'],
  ['console', 'docs/console.md'],
]);
const METRIC = /\b(?:http|key|dsync|forms)_[a-z_]+_(?:total|seconds|entries|waiting)\b/g;

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  ...filesIn('docs', '.md'),
  ...filesIn('bench', '.md'),
  ...filesIn('deploy', '.md'),
];

it('every link of every page leads to a file that is there', () => {
  const dangling = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(workspace, dirname(page), target)))
      .map((target) => `${page} → ${target}`),
  );
  assert.deepEqual(dangling, []);
});

it('every link into a page leads to a heading of it', () => {
  const dangling = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
      .map(([, file = '', anchor = '']) => ({
        file: file ? join(dirname(page), file) : page,
        anchor,
      }))
      .filter(({ file, anchor }) => file.endsWith('.md') && !anchorsOf(file).includes(anchor))
      .map(({ file, anchor }) => `${page} → ${file}#${anchor}`),
  );
  assert.deepEqual(dangling, []);
});

it('the README shows lines of programs that are tested', () => {
  const PAGES = ['protect-an-api', 'follow-a-directory', 'sign-people-up'];
  const tested = PAGES.map((name) => programOf(`docs/${name}.md`)).join('');
  const lines = programsOf('README.md').join('').split('\n').filter(Boolean);
  assert.notEqual(lines.length, 0);
  assert.deepEqual(
    lines.filter((line) => !tested.includes(line.trim())),
    [],
  );
});

it('every setting is in the README, on the page of its service or on that of operations', async () => {
  for (const app of APP_NAMES) {
    const own = OWN_PAGES.get(app) ?? '';
    const text = ['README.md', 'docs/operations.md', own].map(read).join('\n');
    const unsaid = [...(await settingsOf(app))].filter(
      (name) => !name.endsWith('_FILE') && !text.includes(`\`${name}\``),
    );
    assert.deepEqual(unsaid, [], app);
  }
});

it('the metrics of the pages are those of the services', () => {
  const sources = ['apps', 'libs'].flatMap((folder) => filesIn(folder, '.ts'));
  const code = sources.filter((file) => !file.endsWith('spec.ts')).map(read);
  const counted = new Set(code.flatMap((text) => [...text.matchAll(METRIC)].map(([name]) => name)));
  const named = new Set(
    pages.flatMap((page) => [...read(page).matchAll(METRIC)].map(([name]) => name)),
  );
  assert.deepEqual([...named].sort(), [...counted].sort());
});

it('every ruling of the cases of conformance stands on their page', () => {
  const page = read('docs/conformance.md');
  const rulings = filesIn('conformance', '.yaml').flatMap((file) => {
    const found: string[] = [];
    parse(read(file), (_key, value: unknown) => {
      const { source, ruling = '' } = (value ?? {}) as { source?: string; ruling?: string };
      if (source && ruling) found.push(`- ${source}: ${ruling.replace(/\.$/, '')}.`);
      return value;
    });
    return found;
  });
  assert.ok(rulings.length > 0);
  expect(rulings.filter((ruling) => !page.includes(ruling))).toEqual([]);
});

function read(file: string): string {
  return readFileSync(join(workspace, file), 'utf8');
}

/** The anchors that repository hosts generate for the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replaceAll(/^```.*?^```/gms, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

/** The first program of a page, which a test runs. */
function programOf(page: string): string {
  const [program] = programsOf(page);
  assert.ok(program, `${page} has no program`);
  return program;
}

function programsOf(page: string): string[] {
  return [...read(page).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, program = '']) => program);
}
