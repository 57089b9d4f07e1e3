/** Contents that the image must and must not have, seen from a container that cannot write. */
import assert from 'node:assert/strict';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { type Engine } from './engine.js';

/** Above Debian: Node.js, the bundles and their packages. */
const BYTES_MAX = 320 * 1024 * 1024;
const PARTS = ['LICENSE', 'bundles', 'healthcheck.mjs', 'node_modules', 'sbom.cdx.json'];
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
  node: process.versions.node.split('.')[0], parts: readdirSync('/app').sort(),
  bundles: readdirSync('/app/bundles').sort() }));`;

export interface ImageSize {
  total: number;
  overBase: number;
}

interface Inspected {
  Size: number;
  Config: { User: string; Labels: Record<string, string> };
}

export async function checkImage(
  engine: Engine,
  image: string,
  { base, version, revision }: { base: string; version: string; revision: string },
): Promise<ImageSize> {
  const { Size: total, Config: config } = await inspect(engine, image);
  const { Size: baseSize } = await inspect(engine, base);
  assert.equal(config.User, '1000:1000', 'user');
  const label = (name: string) => config.Labels[`org.opencontainers.image.${name}`];
  assert.deepEqual(
    ['title', 'version', 'revision', 'licenses', 'base.name'].map(label),
    ['Gatehouse', version, revision, 'Apache-2.0', base],
    'labels',
  );
  const limits = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges:true'];
  const how = ['--rm', '--entrypoint', 'node', ...limits];
  const look = ['--input-type=module', '--eval', LOOK];
  const seen = await engine.docker('look', 'run', ...how, image, ...look);
  assert.deepEqual(JSON.parse(seen), {
    user: 1000,
    write: 'EROFS',
    tools: [],
    packages: [],
    tests: [],
    node: '24',
    parts: PARTS,
    bundles: [...APP_NAMES, 'gatehouse'].sort(),
  });
  const printed = await engine.docker('version', 'run', '--rm', ...limits, image, '--version');
  assert.equal(printed, version);
  const overBase = total - baseSize;
  assert.ok(overBase <= BYTES_MAX, `the image takes ${mebibytes(overBase)} above its base`);
  return { total, overBase };
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
