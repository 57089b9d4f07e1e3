import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGatehouseFile } from './gatehouse-file.js';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'gatehouse-file-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  const path = join(folder, 'gatehouse.yaml');
  writeFileSync(path, text);
  return readGatehouseFile(path);
}

/** The faults, without the path of the file. */
function faultsOf(text: string): string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace(/^.*\.yaml:\s*/, ''));
  }
}

const DIRECTORY = 'directories:\n  - tenant: acme\n    product: shop\n';
const LIST = 'must be a list';

it.each([
  ['an unknown member', `${DIRECTORY}    typ: okta\n`, /^4: directories\[0\]\.typ: is not one of/],
  ['an unknown kind', 'directory: []\n', /^1: directory: is not one of schemas, directories/],
  ['a missing member', 'trust_rules:\n  - name: CI\n', /^2: trust_rules\[0\]: actor_id is missing/],
  [
    'a wrong choice',
    `${DIRECTORY}    type: okta\n`,
    /^4: directories\[0\]\.type: must be one of okta-scim-v2/,
  ],
  ['a wrong kind of value', 'key_links: {}\n', new RegExp(`^1: key_links: ${LIST}`)],
  [
    'a secret in the file',
    `${DIRECTORY}    webhook_secret: whsec_abc\n`,
    /must name an environment variable/,
  ],
  [
    'an unset variable',
    `${DIRECTORY}    webhook_secret: \${UNSET}\n`,
    /^4: .*: the environment variable UNSET is not set/,
  ],
  [
    'a schema without content',
    'schemas:\n  customer: { public: true }\n',
    /neither schema nor file/,
  ],
  [
    'an alias of an alias of an alias',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(10)}]\nc: [${'*b,'.repeat(20)}]\n`,
    /[Ee]xcessive alias/,
  ],
])('names the line and the path of %s', (_what, text, expected) => {
  expect(faultsOf(text).join('\n')).toMatch(expected);
});

it('names all faults at once', () => {
  expect(faultsOf(`${DIRECTORY}    strict: 1\n    name: 2\n`)).toEqual([
    '4: directories[0].strict: must be true or false',
    '5: directories[0].name: must be a text',
  ]);
});

it('names the place where it is no YAML', () => {
  expect(faultsOf('schemas:\n  a: [1\n').join('\n')).toContain('line 3');
});

it('reads a schema from a file beside it', () => {
  writeFileSync(join(folder, 'customer.json'), '{"type":"object"}');
  expect(read('schemas:\n  customer: { file: customer.json }\n').schemas).toEqual({
    customer: { file: 'customer.json', schema: { type: 'object' } },
  });
});

it('takes an empty file for one without objects', () => {
  expect(read('')).toEqual({});
});
