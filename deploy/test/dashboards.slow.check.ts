/**
 * The dashboards of deploy/grafana are those of dashboards.ts (UPDATE_SNAPSHOTS=1 writes them anew),
 * promtool accepts what they ask, and each metric is one that a service has.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';
import { DASHBOARDS, grafanaJson } from './dashboards.js';
import { promtool, unknownMetrics } from './metrics.js';

const folder = join(workspace, 'deploy', 'grafana');
const expressions = DASHBOARDS.flatMap(({ panels }) =>
  panels.flatMap(({ series }) => Object.values(series)),
);

it.each(DASHBOARDS)('$title is as it is described', (dashboard) => {
  const file = join(folder, `${dashboard.uid}.json`);
  const wanted = grafanaJson(dashboard);
  if (process.env['UPDATE_SNAPSHOTS']) writeFileSync(file, `${JSON.stringify(wanted, null, 2)}\n`);
  const found = JSON.parse(readFileSync(file, 'utf8')) as unknown;
  assert.deepEqual(found, wanted, 'write it anew: UPDATE_SNAPSHOTS=1');
});

it('no other dashboard is there', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  assert.deepEqual([...files].sort(), DASHBOARDS.map(({ uid }) => `${uid}.json`).sort());
});

it('promtool accepts each question', () => {
  const own = mkdtempSync(join(tmpdir(), 'gatehouse-dashboards-'));
  const rules = expressions.map((expr, n) => ({
    record: `panel:${n}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const file = join(own, 'rules.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboards', rules }] }));
  promtool('check', 'rules', file);
  rmSync(own, { recursive: true });
});

it('each metric is one that a service has', () => {
  assert.deepEqual(unknownMetrics(expressions), []);
});
