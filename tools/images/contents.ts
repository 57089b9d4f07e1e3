/** Contents that an image must and must not have, seen from a container that cannot write. */
import assert from 'node:assert/strict';
import { type AppName } from '@gatehouse/testing';
import { type Engine } from './engine.js';

/** Above Debian: Node.js, the bundle and its packages. */
const BYTES_MAX = 160 * 1024 * 1024;
const PARTS = ['LICENSE', 'dist', 'healthcheck.mjs', 'node_modules'];
/** Runs in the container; prints what the checks below compare. */
const LOOK = `
import { existsSync, globSync, readdirSync, writeFileSync } from 'node:fs';
const refused = () => { try { writeFileSync('/app/x', ''); } catch (error) { return error.code; } };
const tools = ['npm', 'npx', 'corepack', 'yarn'].filter((name) =>
  process.env.PATH.split(':').some((folder) => existsSync(folder + '/' + name)));
const packages = ['typescript', 'jest', 'nx', 'eslint', '@swc/core', 'prettier', 'playwright-core']
  .filter((name) => existsSync('/app/node_modules/' + name));
const tests = globSync('/app/**/*{.spec,-spec}.js');
console.log(JSON.stringify({ user: process.getuid(), write: refused(), tools, packages, tests,
  node: process.versions.node.split('.')[0], parts: readdirSync('/app').sort() }));`;

export interface ImageSize {
  app: AppName;
  total: number;
  overBase: number;
}

interface Inspected {
  Size: number;
  Config: { User: string; Labels: Record<string, string> };
}

export async function checkImage(
  engine: Engine,
  app: AppName,
  image: string,
  { base, version, revision }: { base: string; version: string; revision: string },
): Promise<ImageSize> {
  const { Size: total, Config: config } = await inspect(engine, image);
  const { Size: baseSize } = await inspect(engine, base);
  assert.equal(config.User, '1000:1000', `${app}: user`);
  const label = (name: string) => config.Labels[`org.opencontainers.image.${name}`];
  assert.deepEqual(
    ['title', 'version', 'revision', 'licenses', 'base.name'].map(label),
    [`Gatehouse ${app}`, version, revision, 'Apache-2.0', base],
    `${app}: labels`,
  );
  const limits = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges:true'];
  const look = ['node', '--input-type=module', '--eval', LOOK];
  const seen = await engine.docker('look', 'run', '--rm', ...limits, image, ...look);
  assert.deepEqual(JSON.parse(seen), {
    user: 1000,
    write: 'EROFS',
    tools: [],
    packages: [],
    tests: [],
    node: '24',
    parts: PARTS,
  });
  const overBase = total - baseSize;
  assert.ok(overBase <= BYTES_MAX, `${app} takes ${mebibytes(overBase)} above its base`);
  return { app, total, overBase };
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}

async function inspect(engine: Engine, image: string): Promise<Inspected> {
  const text = await engine.docker('inspect', 'image', 'inspect', image);
  const [inspected] = JSON.parse(text) as Inspected[];
  assert.ok(inspected, image);
  return inspected;
}
