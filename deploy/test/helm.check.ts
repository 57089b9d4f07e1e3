/** The Helm chart without Helm: its version, its values and their schema, its files, and its README. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { CHART } from './helm.js';
import { type Any, ofKind } from './manifests.js';

const read = (...path: string[]) => readFileSync(join(CHART, ...path), 'utf8');
const values = parse(read('values.yaml'));
const schema = JSON.parse(read('values.schema.json'));
const readme = read('..', 'README.md');

it('the chart has the version of the image', () => {
  const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const chart = parse(read('Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
});

it('the schema accepts the default values, and knows no others', () => {
  const validate = new Ajv({ strict: false }).compile(schema);
  assert.ok(validate(values), JSON.stringify(validate.errors));
  // These have no default; `global` is for charts that contain this one.
  const isOptional = /^(?:pods|gateway\.settings)\.|^global$/;
  const described = pathsOf(schema).filter((path) => !isOptional.test(path));
  assert.ok(described.length > 40);
  const missing = described.filter((path) => !hasValue(path));
  assert.deepEqual(missing, []);
});

it('every object of the schema refuses members that it does not name', () => {
  const open: string[] = [];
  JSON.parse(read('values.schema.json'), (key, value: Any) => {
    if (value?.properties && value.type && value.additionalProperties !== false) open.push(key);
    return value as unknown;
  });
  assert.deepEqual(open, []);
});

it('files that Compose or kustomize use too are links to them', () => {
  const chart = realpathSync(CHART);
  for (const name of readdirSync(join(CHART, 'files'))) {
    const path = realpathSync(join(CHART, 'files', name));
    assert.ok(!path.startsWith(chart), `${name} is a copy`);
  }
});

it('the README names only values that exist', () => {
  const matches = [...readme.matchAll(/--set ([\w.]+)=/g), ...readme.matchAll(/`(\w+\.\w+)`/g)];
  const names = matches.map(([, name = '']) => name);
  assert.ok(names.length > 5);
  for (const name of names) assert.ok(hasValue(name), name);
});

it('the README makes each Secret with the keys that pods take, from files of make-secrets.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    const env = { PATH: process.env.PATH, GATEHOUSE_SECRETS: folder };
    execFileSync('sh', [join(workspace, 'deploy', 'docker', 'make-secrets.sh')], { env });
    const commands = [...readme.matchAll(/^create ([\w-]+) ((?:.*\\\n)*.*)/gm)];
    const made = commands.map(([, name = '', rest = '']) => {
      const files = [...rest.matchAll(/--from-file=(\w+)=([\w-]+)/g)];
      for (const [, , file = ''] of files) assert.ok(existsSync(join(folder, file)), file);
      return [name, files.map(([, key]) => key).sort()];
    });
    assert.deepEqual(Object.fromEntries(made), keysOfSecrets());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Keys of the Secrets that the Deployments of the base take, which are those of the chart. */
function keysOfSecrets(): Record<string, string[]> {
  const secrets = ofKind('Deployment').flatMap(({ spec }) =>
    spec.template.spec.volumes.flatMap(({ secret }: Any) => secret ?? []),
  );
  return Object.fromEntries(
    secrets.map(({ secretName, items }) => [
      secretName,
      items.map(({ key }: Any) => key as string).sort(),
    ]),
  );
}

/** Dotted names of the values that a schema describes. */
function pathsOf({ $ref, properties = {} }: Any): string[] {
  if ($ref) return pathsOf(schema.definitions[$ref.replace('#/definitions/', '')]);
  return Object.entries(properties).flatMap(([name, each]) => {
    const below = pathsOf(each).map((path) => `${name}.${path}`);
    return below.length > 0 ? below : [name];
  });
}

function hasValue(path: string): boolean {
  return path.split('.').reduce((value: Any, name) => value?.[name], values) !== undefined;
}
