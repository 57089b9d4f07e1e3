/**
 * The Kubernetes base: every document against the schema that the API server validates with, its
 * members against the API's types (which, unlike the schema, refuse a misspelt name), and what
 * they name of each other. The documents come from `kubectl kustomize` where kubectl is there,
 * otherwise from the files.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { settingsOf, shutdownSeconds } from './settings.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests, checked as they are read
type Any = any;

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: Any;
  spec: Any;
}

const base = join(workspace, 'deploy', 'kubernetes', 'base');
const documents = readDocuments();
const workloads = ofKind('Deployment', 'Job');

for (const document of documents) {
  it(`${nameOf(document)} fits the schema of ${document.apiVersion}`, async () => {
    const module = await import(`kubernetes-models/${document.apiVersion}/${document.kind}`);
    new module[document.kind](document).validate();
  });
}

it('no document has a member that the API does not know', () => {
  assert.deepEqual(unknownMembers(), []);
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

it('an app is given only settings that it knows, and its ports agree', () => {
  for (const app of APP_NAMES) {
    const container = deployment(app).spec.template.spec.containers[0];
    const known = settingsOf(app);
    const env = new Map<string, string>(container.env.map((each: Any) => [each.name, each.value]));
    for (const name of env.keys()) assert.ok(known.has(name), `${app} does not read ${name}`);
    const port = (wanted: string) =>
      container.ports.find((each: Any) => each.name === wanted).containerPort;
    assert.equal(String(port('http')), env.get('PORT'));
    assert.equal(String(port('metrics')), env.get('METRICS_PORT'));
    assert.equal(port('metrics'), port('http') + 1000);
  }
});

it('each migration runs the migrate.js of the app in its image', () => {
  const jobs = ofKind('Job');
  assert.equal(jobs.length, 3);
  for (const job of jobs) {
    const { image, command } = job.spec.template.spec.containers[0];
    const [, app] = /^gatehouse\/([a-z-]+)/.exec(image as string) ?? [];
    const source = `apps/${app}/src/migrate`;
    assert.deepEqual(command, ['node', `dist/${source}.js`], nameOf(job));
    assert.ok(existsSync(join(workspace, `${source}.ts`)), nameOf(job));
  }
});

it('every app has the time to shut down before it is killed', () => {
  for (const app of APP_NAMES) {
    const { terminationGracePeriodSeconds: grace } = deployment(app).spec.template.spec;
    // The worker has no drain time.
    assert.ok(grace >= (app === 'dsync-worker' ? 15 : shutdownSeconds() + 5), app);
  }
});

it('every app is probed: alive for liveness, ready for readiness', () => {
  for (const { spec } of ofKind('Deployment')) {
    const [container] = spec.template.spec.containers;
    assert.equal(container.livenessProbe.httpGet.path, '/health/alive');
    const readiness: Record<string, string> = {
      'key-service': '/health/ready?exclude=redis',
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

it('the gateway sends to Services and ports that exist', () => {
  const { env } = deployment('gateway').spec.template.spec.containers[0];
  for (const { name, value } of env) {
    if (!['KEY_SERVICE', 'DSYNC_API', 'IDENTITY_FORMS'].includes(name)) continue;
    const [host, port] = value.split(':');
    const service = ofKind('Service').find(({ metadata }) => metadata.name === host);
    assert.equal(String(service?.spec.ports[0].port), port, name);
  }
});

it('each app and the gateway may be drained one pod at a time', () => {
  const budgets = ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name);
  const deployments = ofKind('Deployment').map(({ metadata }) => metadata.name);
  assert.deepEqual(budgets.sort(), deployments.sort());
});

function readDocuments(): Manifest[] {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', base], {
    encoding: 'utf8',
  });
  if (error === undefined) {
    assert.equal(status, 0, stderr);
    return manifestsIn(stdout);
  }
  const files = readdirSync(base).filter((name) => name !== 'kustomization.yaml');
  const texts = files.map((name) => readFileSync(join(base, name), 'utf8'));
  return texts.flatMap(manifestsIn);
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((each) => each.toJS() as Manifest);
}

function ofKind(...kinds: string[]): Manifest[] {
  return documents.filter(({ kind }) => kinds.includes(kind));
}

function deployment(name: string): Manifest {
  const found = ofKind('Deployment').find(({ metadata }) => metadata.name === name);
  assert.ok(found, `there is no Deployment ${name}`);
  return found;
}

function nameOf(document: Manifest): string {
  return `${document.kind} ${document.metadata.name}`;
}

/** Type-checks the documents as object literals of the API's types, which refuse unknown members. */
function unknownMembers(): string[] {
  const file = join(workspace, 'tools', 'checks', '.manifests.ts');
  const source = documents
    .map(({ apiVersion, kind }, index) => {
      const module = `kubernetes-models/${apiVersion}/${kind}`;
      return (
        `import type { I${kind} as Type${index} } from '${module}';\n` +
        `export const manifest${index}: Type${index} = ${JSON.stringify(documents[index])};\n`
      );
    })
    .join('');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? source : readFile.call(host, name));
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
