/** The chart of deploy/helm, as Helm renders it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { type Manifest, manifestsIn } from './manifests.js';

export const CHART = join(workspace, 'deploy', 'helm', 'gatehouse');
export const PUBLIC_URL = 'https://id.example.com';

export type Values = Readonly<Record<string, unknown>>;

/** Runs Helm, which has to succeed, with values on its standard input. */
export function helm(args: readonly string[], values: Values = {}): string {
  const { status, stdout, stderr } = runHelm(args, values);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The objects of a release. */
export function rendered(values: Values, release = 'gatehouse', chart = CHART): Manifest[] {
  const all = { url: PUBLIC_URL, ...values };
  return manifestsIn(helm(['template', release, chart, '--values', '-'], all));
}

/** What Helm says about values that it refuses. */
export function refusal(values: Values, release = 'gatehouse'): string {
  const all = { url: PUBLIC_URL, ...values };
  const { status, stderr } = runHelm(['template', release, CHART, '--values', '-'], all);
  assert.notEqual(status, 0, 'Helm accepts the values');
  return stderr;
}

function runHelm(args: readonly string[], values: Values) {
  const program = process.env['HELM_PATH'] ?? 'helm';
  const input = JSON.stringify(values);
  const outcome = spawnSync(program, args, { encoding: 'utf8', input });
  assert.equal(outcome.error, undefined, 'helm is not there');
  return outcome;
}

/** Those of some kinds. */
export function ofKinds(manifests: readonly Manifest[], ...kinds: string[]): Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}
