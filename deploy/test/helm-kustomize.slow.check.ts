/**
 * The split layout of the Helm chart has the objects of the kustomize base, and its options those of the components,
 * field by field. The differences are listed here.
 */
import assert from 'node:assert/strict';
import { ofKinds, PUBLIC_URL, rendered } from './helm.js';
import { type Any, documents, type Manifest, nameOf, overlay } from './manifests.js';

const RELEASE = 'release-of-this-test';
const INSTANCE = 'app.kubernetes.io/instance';

const production = overlay('production');
const ifKustomized = production ? it : it.skip;

ifKustomized('the split layout is the base', () => {
  const chart = rendered({}, RELEASE);
  // New files replace the pods of the gateway by an annotation, in the base by a new name of the ConfigMap.
  const gateway = chart.find((each) => nameOf(each) === `Deployment ${RELEASE}-gateway`);
  delete gateway?.spec.template.metadata.annotations;
  const own = byName(chart.map(comparable));
  const expected = byName(baseAsChart().map(comparable));
  assert.deepEqual([...own.keys()].sort(), [...expected.keys()].sort());
  for (const [name, manifest] of expected) expect([name, own.get(name)]).toEqual([name, manifest]);
});

ifKustomized('options add the objects of the components', () => {
  const parent = { name: 'external', namespace: 'gateway-system', sectionName: 'https' };
  const options = {
    keda: { enabled: true },
    httpRoute: { enabled: true, parentRefs: [parent] },
    monitoring: { enabled: true },
  };
  const chart = rendered(options, RELEASE);
  const scalers = ['ScaledObject', 'TriggerAuthentication', 'HorizontalPodAutoscaler'];
  for (const kind of [...scalers, 'HTTPRoute', 'PodMonitor', 'PrometheusRule']) {
    const [own, expected] = [chart, production ?? []].map((manifests) =>
      ofKinds(manifests, kind).map((each) => comparable(each).spec as unknown),
    );
    assert.equal(own?.length, 1, kind);
    expect(own).toEqual(expected);
  }
});

type WithMetadata = Manifest & { metadata: Any };

/** The base with the differences that the chart has on purpose. */
function baseAsChart(): Manifest[] {
  // The namespace is that of the release. Settings in the ConfigMap `gatehouse` are values.
  const base = structuredClone(documents).filter(
    ({ metadata }) => !/^gatehouse/.test(metadata.name),
  );
  for (const { kind, metadata, spec } of base as WithMetadata[]) {
    const container = spec?.template?.spec.containers[0];
    if (container?.env) container.env = container.env.flatMap(variableAsChart);
    if (kind !== 'Job') continue;
    // Helm replaces hooks of the same name. The annotations of other tools are left out.
    metadata.name = metadata.name.replace(/(?:-\d+){3}$/, '');
    const annotations = Object.entries(metadata.annotations as object);
    metadata.annotations = Object.fromEntries(
      annotations.filter(([name]) => name.startsWith('helm.sh/')),
    );
  }
  return base;
}

function variableAsChart({ name, value, valueFrom }: Any): { name: string; value: string }[] {
  // The image takes the same share of the memory limit, which is a value.
  if (name === 'NODE_OPTIONS') return [];
  const settings: Record<string, string> = { GATEWAY_URL: PUBLIC_URL, GATEWAY_TRUSTED_PROXIES: '' };
  return [{ name, value: value ?? settings[valueFrom.configMapKeyRef.key] }];
}

/**
 * An object without what a release adds (its name, labels, the namespace) and without the name of a ConfigMap by its
 * content, with lists in one order, except those that are commands.
 */
function comparable(manifest: Manifest): Manifest {
  const text = JSON.stringify(manifest)
    .replaceAll(`${RELEASE}-`, '')
    .replaceAll(/gateway-config-\w+/g, 'gateway-config');
  const own = JSON.parse(text, (key, value: Any) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return /^(?:args|command)$/.test(key) ? value : value.sort(byText);
    const members = Object.entries(value as object).filter(([name]) => name !== INSTANCE);
    if (key === 'matchLabels' && members.length === 0) return undefined;
    return Object.fromEntries(members.sort(byText));
  }) as WithMetadata;
  delete own.metadata.labels;
  delete own.metadata.namespace;
  return own;
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

function byName(manifests: readonly Manifest[]): Map<string, Manifest> {
  return new Map(manifests.map((each) => [nameOf(each), each]));
}
