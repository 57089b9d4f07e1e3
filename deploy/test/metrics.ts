/** Tools to check PromQL in files: promtool, and the metric names of the services. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

/** Runs promtool, which has to succeed. */
export function promtool(...args: string[]): void {
  const program = process.env['PROMTOOL_PATH'] ?? 'promtool';
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(error, undefined, 'promtool is not there');
  assert.equal(status, 0, stdout + stderr);
}

/** The names in expressions that are no metric of a service, of Node.js or of Prometheus itself. */
export function unknownMetrics(expressions: readonly string[]): string[] {
  const sources = ['apps', 'libs'].map((name) => join(workspace, name)).flatMap(sourcesIn);
  const texts = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  const own = new Set([...texts.matchAll(/'([a-z]+_[a-z_]+)'/g)].map(([, name]) => name));
  const isKnown = (name: string) =>
    own.has(name) || own.has(name.replace(/_(count|sum|bucket)$/, '')) || OTHERS.test(name);
  return expressions
    .flatMap((text) => [...text.matchAll(/(?<![:\w])([a-z]+_[a-z0-9_]+)(?=[{[ )]|$)/g)])
    .map(([, name = '']) => name)
    .filter((name) => !isKnown(name));
}

const OTHERS = /^(process_\w+|nodejs_\w+|histogram_quantile)$/;

function sourcesIn(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /[/\\]src[/\\].*\.ts$/.test(name) && !name.includes('dist'))
    .map((name) => join(directory, name));
}
