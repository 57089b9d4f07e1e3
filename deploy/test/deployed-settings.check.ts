/**
 * The settings that Compose and Kubernetes give to the apps: each app knows them, has all that it
 * needs, and takes their values, because it reads them here as it does at its start.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@gatehouse/kit/settings';
import { workspace } from '#local-stack/layout.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { small, split } from './compose-file.js';
import { type Any, deployment, ofKind } from './manifests.js';
import { configOf, settingsOf, shutdownSeconds } from '../../tools/checks/settings.js';

const { compose, services } = split;

/** Where containers of Compose find their secrets, and pods theirs. */
const COMPOSE_SECRETS = '/run/secrets/';
const POD_SECRETS = '/run/secrets/gatehouse/';
/** An overlay has to set it. */
const GATEWAY_URL = 'https://id.example.com';
/** Compose leaves these to the image. */
const OF_PODS = ['HOST', 'NODE_OPTIONS'];

type Environment = Readonly<Record<string, string>>;

let secrets = '';
beforeAll(() => {
  secrets = mkdtempSync(join(tmpdir(), 'deployed-settings-'));
  const script = join(workspace, 'deploy/docker/make-secrets.sh');
  const env = { PATH: process.env.PATH, GATEHOUSE_SECRETS: secrets };
  assert.equal(spawnSync('sh', [script], { env }).status, 0);
});
afterAll(() => rmSync(secrets, { recursive: true, force: true }));

const ofCompose = (name: string): Environment => compose.services[name]?.environment ?? {};

/** Environment of a service in Compose, with the secret files of this machine. */
const readableHere = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(COMPOSE_SECRETS, `${secrets}/`),
    ]),
  );

/** Environment of a container in a pod, with the GATEWAY_URL that an overlay sets. */
function ofPod(name: string): Environment {
  const { env } = deployment(name).spec.template.spec.containers[0];
  return Object.fromEntries(
    (env as Any[]).map(({ name: variable, value, valueFrom }) => {
      const key = valueFrom?.configMapKeyRef.key;
      return [variable, key === 'GATEWAY_URL' ? GATEWAY_URL : (value ?? '')];
    }),
  );
}

it('an app is given only settings that it knows', async () => {
  for (const app of APP_NAMES) {
    const known = await settingsOf(app);
    for (const variable of Object.keys(ofCompose(app))) {
      assert.ok(known.has(variable), `${app} does not read ${variable}`);
    }
  }
});

it('the process of compose.small.yml is given only settings that its services know', async () => {
  const known = new Set((await Promise.all(APP_NAMES.map(settingsOf))).flatMap((all) => [...all]));
  for (const variable of Object.keys(small.compose.services['gatehouse']?.environment ?? {})) {
    assert.ok(known.has(variable), `no service reads ${variable}`);
  }
});

it('every service of Compose can read the secret files in its settings', () => {
  for (const [name, { environment = {}, secrets: mounted = [] }] of [
    ...services,
    ...small.services,
  ]) {
    for (const [variable, value] of Object.entries(environment)) {
      if (!variable.endsWith('_FILE')) continue;
      assert.match(value, /^\/run\/secrets\//, `${name} ${variable}`);
      assert.ok(mounted.includes(value.slice(COMPOSE_SECRETS.length)), `${name} ${variable}`);
    }
  }
});

it.each(APP_NAMES)('%s takes its settings of Compose, and those of Kubernetes', async (app) => {
  const Config = await configOf(app);
  const own = ofCompose(app);
  const load = (environment: Environment) => loadConfig(Config, readableHere(environment));
  assert.doesNotThrow(() => load(own));
  // The same secrets in other files.
  const pod = Object.entries(ofPod(app)).map(([name, value]) => {
    if (name.endsWith('_FILE')) assert.equal(`${value}_FILE`, `${POD_SECRETS}${name}`);
    return [name, value.startsWith(POD_SECRETS) ? (own[name] ?? '') : value] as const;
  });
  assert.doesNotThrow(() => load(Object.fromEntries(pod)));
});

it('Kubernetes gives each app and the gateway the settings that Compose does', () => {
  for (const name of [...APP_NAMES, 'gateway']) {
    const names = Object.keys(ofPod(name)).filter((variable) => !OF_PODS.includes(variable));
    assert.deepEqual(names.sort(), Object.keys(ofCompose(name)).sort(), name);
  }
});

it('each migration is given the database of its service, and nothing else', () => {
  for (const [name, { environment = {} }] of services) {
    if (!name.startsWith('migrate-')) continue;
    assert.deepEqual(Object.keys(environment), ['DATABASE_URL_FILE'], name);
  }
  for (const { spec } of ofKind('Job')) {
    const names = spec.template.spec.containers[0].env.map((each: Any) => each.name);
    assert.deepEqual(names, ['DATABASE_URL_FILE']);
  }
});

it('the gateway is given only settings that its start script reads', () => {
  const script = readFileSync(join(workspace, 'deploy/gateway/start.sh'), 'utf8');
  const [header = ''] = script.split('\nset -euf\n');
  const known = new Set(header.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g));
  for (const name of Object.keys(ofCompose('gateway'))) {
    assert.ok(known.has(name), `start.sh does not describe ${name}`);
  }
});

it('every app has the time to shut down before Compose kills it', async () => {
  for (const app of APP_NAMES) {
    const { stop_grace_period: grace = '' } = compose.services[app] ?? {};
    const { SHUTDOWN_TIMEOUT: set } = ofCompose(app);
    // The worker has no drain time, and attempts that may take 20 s.
    const needed = set === undefined ? await shutdownSeconds(app) : Number.parseInt(set, 10);
    assert.ok(Number.parseInt(grace, 10) >= needed + 5, app);
    assert.ok(needed >= (app === 'dsync-worker' ? 25 : 0), app);
  }
});
