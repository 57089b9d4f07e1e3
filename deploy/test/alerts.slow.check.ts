/**
 * The alerts of deploy/prometheus: promtool accepts them, each one fires when it should and is silent
 * when it should not, has a runbook, and asks for metrics that the services have. The PrometheusRule of
 * Kubernetes has the same rules: UPDATE_SNAPSHOTS=1 writes it anew.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { ALERT_CASES, type Series } from './alert-cases.js';
import { promtool, unknownMetrics } from './metrics.js';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: { severity?: string };
  annotations?: { summary?: string; description?: string; runbook?: string };
}

const RULES = join(workspace, 'deploy', 'prometheus', 'alerts.yaml');
const MANIFEST = join(workspace, 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml');
const text = readFileSync(RULES, 'utf8');
const { groups } = parse(text) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => rule.alert !== undefined);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-alerts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('promtool accepts the rules', () => {
  promtool('check', 'rules', RULES);
});

it.each(Object.entries(ALERT_CASES))('%s fires when it should, and only then', (alert, each) => {
  const { fires, isSilent, after, others = [], intervalMinutes = 1 } = each;
  const how = { after, intervalMinutes };
  testRules([
    { ...how, series: fires, firing: [alert, ...others] },
    { ...how, series: isSilent, firing: others },
  ]);
});

it('each alert has a case, a severity, and a runbook with all parts', () => {
  assert.deepEqual(Object.keys(ALERT_CASES).sort(), alerts.map(({ alert }) => alert).sort());
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(['page', 'ticket'].includes(labels?.severity ?? ''), alert);
    assert.ok(annotations?.summary && annotations.description, alert);
    assert.equal(annotations.runbook, `docs/runbooks/${alert}.md`);
    const runbook = readFileSync(join(workspace, annotations.runbook), 'utf8');
    const headings = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, [alert, 'Meaning', 'Impact', 'Diagnosis', 'Mitigation']);
  }
});

it('each metric is one that a service has', () => {
  assert.deepEqual(unknownMetrics(rules.map(({ expr }) => expr)), []);
});

it('Kubernetes has the same rules', () => {
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'gatehouse' },
    spec: { groups },
  };
  const comment = '# Written by the check of alerts, from deploy/prometheus/alerts.yaml.\n';
  const wanted = comment + stringify(manifest, { lineWidth: 100, singleQuote: true });
  if (process.env['UPDATE_SNAPSHOTS']) writeFileSync(MANIFEST, wanted);
  const found = parse(readFileSync(MANIFEST, 'utf8')) as unknown;
  assert.deepEqual(found, manifest, 'write it anew: UPDATE_SNAPSHOTS=1');
});

interface Moment {
  series: Series;
  after: number;
  intervalMinutes: number;
  firing: readonly string[];
}

/** Services that run, unless the series of a case say something else of them. */
const RUNNING: Series = Object.fromEntries(
  ['key-service', 'dsync-api', 'dsync-worker', 'identity-forms', 'console'].map((job) => [
    `up{job="${job}",instance="a"}`,
    '1x5000',
  ]),
);

function testRules(moments: readonly Moment[]): void {
  const file = join(folder, 'test.yaml');
  const tests = moments.map(({ series, after, intervalMinutes, firing }) => ({
    interval: `${intervalMinutes}m`,
    input_series: Object.entries({ ...RUNNING, ...series }).map(([name, values]) => ({
      series: name,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${after}m`,
        exp_samples: firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      },
    ],
  }));
  const evaluation_interval = `${moments[0]?.intervalMinutes}m`;
  writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval, tests }));
  promtool('test', 'rules', file);
}
