/**
 * The Kubernetes base, and the overlays with their components: every document against the schema that
 * the API server validates with, its members against the API's types (which, unlike the schema, refuse
 * a misspelt name), and what they name of each other. kubernetes-gateway.check.ts has the gateway.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { MIGRATING_APPS } from '#local-stack/migrations.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import {
  type Any,
  base,
  deployment,
  describedVersion,
  documents,
  moduleOf,
  nameOf,
  ofKind,
  overlay,
  unknownMembers,
} from './manifests.js';
import { isReadBySdk, settingsOf, shutdownSeconds } from '../../tools/checks/settings.js';

const overlays = ['production', 'development', 'managed-stores'].map(
  (name) => [name, overlay(name)] as const,
);
const workloads = ofKind('Deployment', 'Job');

for (const [name, manifests] of [['base', documents] as const, ...overlays]) {
  if (!manifests) {
    it.skip(`${name} as it is rendered (not run: kubectl is not there)`, () => undefined);
    continue;
  }
  describe(`${name} as it is rendered`, () => {
    it('fits the schemas', async () => {
      for (const document of manifests) {
        const module = await import(moduleOf(document));
        const served = { ...document, apiVersion: describedVersion(document) };
        assert.doesNotThrow(() => new module[document.kind](served).validate(), nameOf(document));
      }
    });

    it('has no member that the API does not know', () => {
      assert.deepEqual(unknownMembers(manifests), []);
    });
  });
}

const production = overlays[0]?.[1];
const ifRendered = production ? it : it.skip;

ifRendered(
  'production sends traces of every app, by settings that it knows, past the policies',
  async () => {
    const manifests = production ?? [];
    for (const app of APP_NAMES) {
      const found = manifests.find(({ kind, metadata }) => {
        return kind === 'Deployment' && metadata.name === app;
      });
      const names = found?.spec.template.spec.containers[0].env.map(({ name }: Any) => name);
      const known = await settingsOf(app);
      const own = (names as string[]).filter((name) => name.startsWith('OTEL_'));
      assert.equal(own.length, 3, app);
      for (const name of own) {
        assert.ok(known.has(name) || isReadBySdk(name), `${app} does not read ${name}`);
      }
    }
    const policy = manifests.find(({ metadata }) => metadata.name === 'traces');
    assert.ok(policy);
    const [{ values }] = policy.spec.podSelector.matchExpressions;
    assert.deepEqual([...(values as string[])].sort(), [...APP_NAMES].sort());
  },
);

ifRendered('production leaves the worker to KEDA, and no image and host of the base', () => {
  const manifests = production ?? [];
  const scaled = manifests.filter(({ kind }) => /Autoscaler|ScaledObject/.test(kind));
  assert.deepEqual(scaled.map(({ kind, spec }) => `${kind} ${spec.scaleTargetRef.name}`).sort(), [
    'HorizontalPodAutoscaler key-service',
    'ScaledObject dsync-worker',
  ]);
  for (const { kind, spec } of manifests) {
    if (kind !== 'Deployment' && kind !== 'Job') continue;
    const [{ image }] = spec.template.spec.containers;
    assert.match(image as string, /^registry\.example\.com\/|^nginx:/);
  }
});

const managed = overlays[2]?.[1];

(managed ? it : it.skip)('with the stores of a provider, each app knows its settings', async () => {
  const find = (kind: string, name: string) =>
    managed?.find((each) => each.kind === kind && each.metadata.name === name);
  for (const app of APP_NAMES) {
    const { containers, volumes } = find('Deployment', app)?.spec.template.spec ?? {};
    const names = containers[0].env.map(({ name }: Any) => name as string);
    for (const setting of ['DATABASE_DIRECT_URL', 'REDIS_TLS_CA']) {
      assert.ok((await settingsOf(app)).has(`${setting}_FILE`), `${app} does not read ${setting}`);
      assert.ok(names.includes(`${setting}_FILE`), `${app} ${setting}`);
      assert.ok(volumes[0].secret.items.some(({ key }: Any) => key === setting));
    }
  }
  for (const { kind, spec } of managed ?? []) {
    if (kind !== 'Job') continue;
    const [{ env }] = spec.template.spec.containers;
    assert.ok(env.some(({ name }: Any) => name === 'DATABASE_DIRECT_URL_FILE'));
  }
  const ports = find('NetworkPolicy', 'stores')?.spec.egress[0].ports.map(({ port }: Any) => port);
  assert.deepEqual(ports, [5432, 6379, 6432, 26379]);
});

it('the Jobs of each version have names of their own', () => {
  const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const kustomization = readFileSync(join(base, 'migrate', 'kustomization.yaml'), 'utf8');
  assert.match(kustomization, new RegExp(`^nameSuffix: -${version.replaceAll('.', '-')}$`, 'm'));
});

it('an app may use 70 % of its memory for the heap, and 16 MB of that for new objects', () => {
  for (const app of APP_NAMES) {
    const [{ env, resources }] = deployment(app).spec.template.spec.containers;
    const options = env.find((each: Any) => each.name === 'NODE_OPTIONS').value;
    const megabytes = Math.floor(parseInt(resources.limits.memory as string, 10) * 0.7);
    assert.equal(options, `--max-old-space-size=${megabytes} --max-semi-space-size=16`, app);
  }
});

it('secrets are referenced, never contained', () => {
  assert.deepEqual(ofKind('Secret'), []);
  const readme = readFileSync(join(workspace, 'deploy/kubernetes/README.md'), 'utf8');
  for (const workload of workloads) {
    const pod = workload.spec.template.spec;
    const secret = pod.volumes.find((each: Any) => each.secret)?.secret;
    if (secret === undefined) continue;
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${secret.secretName}\``));
    for (const { key, path } of secret.items) {
      assert.equal(path, key);
      assert.ok(
        row?.includes(`\`${key}\``),
        `the README does not list ${secret.secretName} ${key}`,
      );
    }
    const files = secret.items.map((item: Any) => `/run/secrets/gatehouse/${item.path}`);
    for (const { name, value } of pod.containers[0].env) {
      if (name.endsWith('_FILE')) assert.ok(files.includes(value), `${nameOf(workload)} ${name}`);
    }
  }
});

it('an app is given only settings that it knows, and its ports agree', async () => {
  for (const app of APP_NAMES) {
    const container = deployment(app).spec.template.spec.containers[0];
    const known = await settingsOf(app);
    const env = new Map<string, string>(container.env.map((each: Any) => [each.name, each.value]));
    env.delete('NODE_OPTIONS');
    for (const name of env.keys()) assert.ok(known.has(name), `${app} does not read ${name}`);
    const port = (wanted: string) =>
      container.ports.find((each: Any) => each.name === wanted).containerPort;
    assert.equal(String(port('http')), env.get('PORT'));
    assert.equal(String(port('metrics')), env.get('METRICS_PORT'));
    assert.equal(port('metrics'), port('http') + 1000);
  }
});

it('an app that sends requests to addresses of customers can reach the internet', () => {
  const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'webhooks');
  const [{ values }] = policy?.spec.podSelector.matchExpressions ?? [{ values: [] }];
  const sending = APP_NAMES.filter((app) => {
    const folder = join(workspace, 'apps', app, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .some((source) => /config\.webhooks|outbound: webhooks/.test(source));
  });
  assert.ok(sending.length > 0);
  assert.deepEqual([...values].sort(), sending.sort());
});

it('each Deployment and Job of an app runs the command of the image for it', () => {
  for (const app of APP_NAMES) {
    const { image, command, args } = deployment(app).spec.template.spec.containers[0];
    assert.match(image as string, /^localhost\/gatehouse(?::|$)/);
    assert.deepEqual([command, args], [undefined, [app]]);
  }
  const jobs = ofKind('Job').map(({ spec }) => spec.template.spec.containers[0]);
  assert.deepEqual(
    jobs.map(({ args }) => args.join(' ')).sort(),
    MIGRATING_APPS.map((app) => `migrate ${app}`).sort(),
  );
  for (const { image } of jobs) assert.match(image as string, /^localhost\/gatehouse(?::|$)/);
});

it('every app has the time to shut down before it is killed', async () => {
  for (const app of APP_NAMES) {
    const { terminationGracePeriodSeconds: grace, containers } = deployment(app).spec.template.spec;
    const set = containers[0].env.find((each: Any) => each.name === 'SHUTDOWN_TIMEOUT');
    // The worker has no drain time, and attempts that may take 20 s.
    const needed = set ? parseInt(set.value as string, 10) : await shutdownSeconds(app);
    assert.ok(grace >= needed + 5 && needed >= (app === 'dsync-worker' ? 25 : 0), app);
  }
});

it('every app is probed: alive for liveness, ready for readiness', () => {
  for (const { spec } of ofKind('Deployment')) {
    const [container] = spec.template.spec.containers;
    assert.equal(container.livenessProbe.httpGet.path, '/health/alive');
    const readiness: Record<string, string> = {
      'key-service': '/health/ready?exclude=redis&exclude=database',
      gateway: '/health/alive',
    };
    const path = readiness[container.name] ?? '/health/ready';
    assert.equal(container.readinessProbe.httpGet.path, path);
  }
});

it('every pod runs as a user without rights on a file system that it cannot change', () => {
  for (const { spec } of workloads) {
    const pod = spec.template.spec;
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.enableServiceLinks, false);
    for (const { securityContext, resources } of pod.containers) {
      assert.equal(securityContext.allowPrivilegeEscalation, false);
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
      assert.ok(resources.limits.memory && resources.requests.cpu);
    }
  }
});

it('every selector finds the pods of a workload, every autoscaler its Deployment', () => {
  const podLabels = workloads.map(({ spec }) => spec.template.metadata.labels);
  const hasPods = (selector: Record<string, string>) =>
    podLabels.some((labels) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value),
    );
  for (const { spec } of ofKind('Service')) assert.ok(hasPods(spec.selector));
  for (const each of ofKind('Deployment', 'PodDisruptionBudget')) {
    assert.ok(hasPods(each.spec.selector.matchLabels), nameOf(each));
  }
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
    assert.equal(deployment(spec.scaleTargetRef.name).spec.replicas, undefined);
  }
  const policies = ofKind('NetworkPolicy');
  for (const policy of policies) {
    const { matchLabels = {}, matchExpressions = [] } = policy.spec.podSelector;
    assert.ok(Object.keys(matchLabels).length === 0 || hasPods(matchLabels), nameOf(policy));
    for (const { key, values } of matchExpressions) {
      for (const value of values) {
        assert.ok(hasPods({ [key]: value }), `${nameOf(policy)} ${value}`);
      }
    }
  }
  assert.ok(policies.some(({ metadata }) => metadata.name === 'deny-all'));
});

it('each app and the gateway may be drained one pod at a time', () => {
  const budgets = ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name);
  const deployments = ofKind('Deployment').map(({ metadata }) => metadata.name);
  assert.deepEqual(budgets.sort(), deployments.sort());
  for (const { spec } of ofKind('PodDisruptionBudget')) {
    assert.equal(spec.unhealthyPodEvictionPolicy, 'AlwaysAllow');
  }
});
