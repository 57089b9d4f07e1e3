/** The gateway on Kubernetes: its Services, its surfaces, and the route that leads to it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { publicLocations } from './gateway-surfaces.js';
import { type Any, deployment, ofKind, overlay } from './manifests.js';

const production = overlay('production');

it('the gateway sends to Services and ports that exist', () => {
  const { env } = deployment('gateway').spec.template.spec.containers[0];
  for (const { name, value } of env) {
    if (!['KEY_SERVICE', 'DSYNC_API', 'IDENTITY_FORMS', 'CONSOLE'].includes(name)) continue;
    const [host, port] = value.split(':');
    const service = ofKind('Service').find(({ metadata }) => metadata.name === host);
    assert.equal(String(service?.spec.ports[0].port), port, name);
  }
});

it('the admin surface is open to labeled namespaces and the console only, and no route leads to it', () => {
  const port = (wanted: string) =>
    deployment('gateway').spec.template.spec.containers[0].ports.find(
      ({ name }: Any) => name === wanted,
    ).containerPort;
  const policies = ofKind('NetworkPolicy').flatMap(({ spec }) => spec.ingress ?? []);
  const opened = policies.filter(({ ports }: Any) =>
    ports.some((each: Any) => each.port === port('admin')),
  );
  assert.deepEqual(
    opened.map(({ from }: Any) => from),
    [
      [
        { namespaceSelector: { matchLabels: { 'gatehouse/admin': 'true' } } },
        { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'console' } } },
      ],
    ],
  );
  const { env } = deployment('gateway').spec.template.spec.containers[0];
  const listens = (name: string) => env.find((each: Any) => each.name === name).value;
  assert.equal(listens('PUBLIC_LISTEN'), String(port('http')));
  assert.equal(listens('ADMIN_LISTEN'), String(port('admin')));
  for (const { spec } of ofKind('Service')) assert.ok(!spec.type || spec.type === 'ClusterIP');
});

(production ? it : it.skip)('the HTTPRoute lists the public surface, and leads to it', () => {
  const route = production?.find(({ kind }) => kind === 'HTTPRoute');
  const rules = (route?.spec.rules ?? []) as Any[];
  const matches = rules.flatMap((rule) => rule.matches as Any[]);
  const paths = matches.map(({ path }) => {
    assert.equal(path.type, path.value.endsWith('/') ? 'PathPrefix' : 'Exact');
    return path.value as string;
  });
  const within = (path: string, other: string) => other !== path && path.startsWith(other);
  const locations = publicLocations();
  const outermost = locations.filter(
    (path) => !locations.some((other) => other.endsWith('/') && within(path, other)),
  );
  assert.deepEqual(paths.sort(), outermost.sort());
  for (const { backendRefs } of rules) {
    assert.deepEqual(backendRefs, [{ name: 'gateway', port: 80 }]);
  }
});

it('the ConfigMap of the gateway has every file that it reads', () => {
  const gateway = join(workspace, 'deploy', 'gateway');
  const listed = readFileSync(join(gateway, 'kustomization.yaml'), 'utf8');
  for (const file of readdirSync(gateway)) {
    const isRead = /\.(?:conf|mjs|sh)$/.test(file);
    assert.equal(listed.includes(`- ${file}\n`), isRead, file);
  }
});
