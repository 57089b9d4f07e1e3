/**
 * The Helm chart, rendered by Helm: its objects are valid for every kind of values, wrong values are refused by name,
 * and an upgrade and a second release work. helm-kustomize.slow.check.ts compares it with the base, and helm.check.ts
 * has what needs no Helm.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { small as smallCompose } from './compose-file.js';
import { CHART, helm, ofKinds, PUBLIC_URL, refusal, rendered, type Values } from './helm.js';
import {
  type Any,
  describedVersion,
  type Manifest,
  moduleOf,
  nameOf,
  unknownMembers,
} from './manifests.js';
import { settingsOf } from '../../tools/checks/settings.js';

const SMALL = { layout: 'small' };
const SHARED = { layout: 'small', small: { secretKeys: ['REDIS_URL'], replicas: 3 } };
const OPTIONS: Values = {
  ...ofServices({ secretKeys: ['REDIS_TLS_CA'] }),
  trustedProxies: '192.0.2.0/24',
  pods: { imagePullSecrets: [{ name: 'registry' }], nodeSelector: { pool: 'gatehouse' } },
  settings: { LOG_LEVEL: 'warn' },
  gateway: { settings: { REQUESTS_PER_SECOND: '100' } },
  networkPolicies: { egress: [{ ports: [{ protocol: 'TCP', port: 6432 }] }] },
  ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'tls' },
  httpRoute: { enabled: true, parentRefs: [{ name: 'external' }] },
  monitoring: { enabled: true, labels: { prometheus: 'main' } },
  keda: { enabled: true },
};
const COMBINATIONS: [string, Values][] = [
  ['split', {}],
  ['split with all options', OPTIONS],
  ['split without autoscalers', ofServices({ autoscaling: { enabled: false }, replicas: 1 })],
  ['split without network policies', { networkPolicies: { enabled: false } }],
  ['split without the console', { console: { enabled: false } }],
  ['small', SMALL],
  ['small with all options', { ...OPTIONS, ...SMALL }],
  ['small with Redis', SHARED],
];

function ofServices(values: Values): Values {
  const names = ['keyService', 'dsyncApi', 'dsyncWorker', 'identityForms', 'console', 'small'];
  return Object.fromEntries(names.map((name) => [name, values]));
}

const containerOf = ({ spec }: Manifest): Any => spec.template.spec.containers[0];
const valueOf = (workload: Manifest, setting: string): unknown =>
  containerOf(workload).env.find(({ name }: Any) => name === setting)?.value;
const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ metadata }) => metadata.name);

describe.each(COMBINATIONS)('%s', (_, values) => {
  let manifests: Manifest[];
  let workloads: Manifest[];
  beforeAll(() => {
    manifests = rendered(values);
    workloads = ofKinds(manifests, 'Deployment', 'Job');
  });

  it('fits the schemas of the API, and passes the linter of Helm', async () => {
    for (const manifest of manifests) {
      const module = await import(moduleOf(manifest));
      const served = { ...manifest, apiVersion: describedVersion(manifest) };
      assert.doesNotThrow(() => new module[manifest.kind](served).validate(), nameOf(manifest));
    }
    helm(['lint', '--strict', CHART, '--values', '-'], { url: PUBLIC_URL, ...values });
  });

  it('selects pods of the release, and no others', () => {
    const pods = workloads.map(labelsOfPods);
    for (const selector of selectorsIn(manifests)) {
      const text = JSON.stringify(selector);
      assert.equal(selector.matchLabels['app.kubernetes.io/instance'], 'gatehouse', text);
      assert.ok(
        pods.some((labels) => isSelected(labels, selector)),
        text,
      );
    }
    const budgets = namesOf(ofKinds(manifests, 'PodDisruptionBudget'));
    assert.deepEqual(budgets.sort(), namesOf(ofKinds(manifests, 'Deployment')).sort());
  });

  it('contains no secret, and pods without rights', () => {
    assert.deepEqual(ofKinds(manifests, 'Secret'), []);
    for (const workload of workloads) {
      const { securityContext, resources } = containerOf(workload);
      const pod = workload.spec.template.spec;
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.equal(pod.securityContext.runAsNonRoot, true);
      assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
      assert.equal(pod.automountServiceAccountToken, false);
      assert.ok(resources.limits.memory, nameOf(workload));
    }
  });
});

it('no object has a member that the API does not know', () => {
  const all = COMBINATIONS.flatMap(([, values]) => rendered(values));
  assert.deepEqual(unknownMembers(all), []);
});

describe('the small layout', () => {
  const deploymentOf = (values: Values): Manifest => {
    const [found, ...others] = ofKinds(rendered(values), 'Deployment');
    assert.ok(found && others.length === 0);
    return found;
  };

  it('is one process with the settings of compose.small.yml, which migrates at its start', () => {
    const deployment = deploymentOf(SMALL);
    const { env, args, command } = containerOf(deployment);
    const { environment = {} } = smallCompose.compose.services['gatehouse'] ?? {};
    const expected = [...Object.keys(environment), 'HOST', 'PORT', 'METRICS_PORT'];
    assert.deepEqual(env.map(({ name }: Any) => name as string).sort(), expected.sort());
    assert.equal(valueOf(deployment, 'SHUTDOWN_TIMEOUT'), environment['SHUTDOWN_TIMEOUT']);
    assert.deepEqual([args, command], [undefined, undefined]);
    assert.deepEqual(ofKinds(rendered(SMALL), 'Job'), []);
  });

  it('ends the old process before the new one starts, unless they share Redis', () => {
    assert.deepEqual(deploymentOf(SMALL).spec.strategy, { type: 'Recreate' });
    const shared = deploymentOf(SHARED);
    assert.equal(shared.spec.replicas, 3);
    assert.equal(shared.spec.strategy.type, 'RollingUpdate');
    assert.ok(valueOf(shared, 'REDIS_URL_FILE'));
  });

  it('is reached at the addresses of the split layout', () => {
    const surfaces = (values: Values) =>
      ofKinds(rendered(values), 'Service')
        .filter(({ metadata }) => metadata.name.includes('-gateway'))
        .map(({ metadata, spec }) => [metadata.name, spec.ports]);
    assert.deepEqual(surfaces(SMALL), surfaces({}));
    const ports = containerOf(deploymentOf(SMALL)).ports.map(({ name }: Any) => name as string);
    assert.deepEqual(ports.sort(), ['admin', 'http', 'metrics']);
  });
});

it('settings and keys of Secrets reach the pods, and a service has the last word', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const manifests = rendered({
    settings: { LOG_LEVEL: 'warn', TRACE_CALLERS_PER_SECOND: '5' },
    dsyncApi: { settings: { LOG_LEVEL: 'debug' }, secretKeys: ['DATABASE_DIRECT_URL'] },
    image: { repository: 'registry.example.com/gatehouse', digest },
  });
  for (const app of APP_NAMES) {
    const workload = manifests.find((each) => nameOf(each) === `Deployment gatehouse-${app}`);
    assert.ok(workload);
    assert.equal(valueOf(workload, 'LOG_LEVEL'), app === 'dsync-api' ? 'debug' : 'warn');
    assert.equal(valueOf(workload, 'TRACE_CALLERS_PER_SECOND'), '5');
    const { env, image } = containerOf(workload);
    assert.equal(image, `registry.example.com/gatehouse@${digest}`);
    const known = await settingsOf(app);
    for (const { name } of env) assert.ok(known.has(name), `${app} does not read ${name}`);
  }
  const jobs = ofKinds(manifests, 'Job');
  const direct = jobs.filter((job) => valueOf(job, 'DATABASE_DIRECT_URL_FILE'));
  assert.deepEqual(namesOf(direct), ['gatehouse-migrate-dsync']);
});

it.each<[string, Values, RegExp]>([
  ['an unknown value', { replicas: 2 }, /replicas'? .*not allowed/],
  ['a misspelt value', { keyService: { relicas: 2 } }, /keyService.*relicas'? .*not allowed/],
  ['an unknown layout', { layout: 'large' }, /layout.*split.*small/],
  ['a missing address', { url: '' }, /url is missing/],
  ['an address without a scheme', { url: 'id.example.com' }, /url.*pattern/],
  ['a tag in place of a digest', { image: { digest: 'latest' } }, /image.digest.*pattern/],
  ['a number in place of a string', { settings: { CELL: 1 } }, /settings.CELL.*string/],
  ['a setting of the chart itself', { settings: { PORT: '80' } }, /PORT/],
  ['a secret', { dsyncApi: { settings: { API_KEYS: 'a' } } }, /API_KEYS is a secret.*dsyncApi/],
  ['a route without a Gateway', { httpRoute: { enabled: true } }, /httpRoute.parentRefs/],
  ['a second small process', { layout: 'small', small: { replicas: 2 } }, /needs Redis/],
])('%s is refused by name', (_, values, reason) => {
  assert.match(refusal(values), reason);
});

it('a release name that leaves no room for suffixes is refused', () => {
  rendered({}, 'r'.repeat(40));
  assert.match(refusal({}, 'r'.repeat(41)), /40 characters/);
});

it('two releases in one namespace share no name and no pod', () => {
  const one = rendered(OPTIONS, 'one');
  const other = rendered(OPTIONS, 'other');
  const names = new Set(one.map(nameOf));
  for (const each of other) assert.ok(!names.has(nameOf(each)), nameOf(each));
  const pods = ofKinds(other, 'Deployment', 'Job').map(labelsOfPods);
  for (const selector of selectorsIn(one)) {
    assert.ok(!pods.some((labels) => isSelected(labels, selector)), JSON.stringify(selector));
  }
});

describe('an upgrade', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'chart-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([SMALL, { layout: 'split' }])('to a packaged chart keeps the selectors: %j', (values) => {
    const version = ['--version', '0.2.0', '--app-version', '0.2.0'];
    helm(['package', CHART, '--destination', folder, ...version]);
    const chart = join(folder, 'gatehouse-0.2.0.tgz');
    const before = ofKinds(rendered(values), 'Deployment');
    const after = ofKinds(rendered({ ...OPTIONS, ...values }, 'gatehouse', chart), 'Deployment');
    const selectors = (deployments: readonly Manifest[]) =>
      deployments.map((each) => [nameOf(each), each.spec.selector]);
    assert.deepEqual(selectors(after), selectors(before));
    const images = after.map((each) => containerOf(each).image as string);
    assert.ok(images.includes('localhost/gatehouse:0.2.0'));
  });

  it('migrates before anything else changes, and a rollback does not', () => {
    const hooks = rendered(OPTIONS).flatMap(({ kind, metadata }: Any) => {
      const hook = metadata.annotations?.['helm.sh/hook'];
      return hook ? [[kind, hook]] : [];
    });
    assert.deepEqual(hooks, Array(4).fill(['Job', 'pre-install,pre-upgrade']));
  });
});

interface Selector {
  matchLabels: Record<string, string>;
  matchExpressions?: { key: string; values: string[] }[];
}

/** All selectors of pods; that of a Service has labels alone. */
function selectorsIn(value: Any, key = ''): Selector[] {
  if (typeof value !== 'object' || value === null) return [];
  if (/^(?:podSelector|labelSelector|selector)$/.test(key)) {
    return [value.matchLabels ? value : { matchLabels: value }];
  }
  return Object.entries(value as object).flatMap(([name, each]) => selectorsIn(each, name));
}

function labelsOfPods({ spec }: Manifest): Record<string, string> {
  return spec.template.metadata.labels;
}

function isSelected(labels: Record<string, string>, selector: Selector): boolean {
  const { matchLabels, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}
