import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Gauge, type Registry } from 'prom-client';

export interface BuildInfo {
  version: string;
  /** The commit that an image was built from; `development` outside of images. */
  revision: string;
}

export const BUILD_INFO = readBuildInfo(dirname(fileURLToPath(import.meta.url)));
export const VERSION = BUILD_INFO.version;

/** The usual way to join what runs to other metrics: the value is 1, the labels say what it is. */
export function registerBuildInfo(registry: Registry, service: string): void {
  const { version, revision } = BUILD_INFO;
  const gauge = new Gauge({
    name: 'gatehouse_build_info',
    help: 'The running build: the value is always 1.',
    labelNames: ['service', 'version', 'revision', 'node'],
    registers: [registry],
  });
  gauge.set({ service, version, revision, node: process.versions.node }, 1);
}

/** Reads the nearest package.json above this file: in the sources, in dist/ and in an image. */
function readBuildInfo(directory: string): BuildInfo {
  const path = join(directory, 'package.json');
  if (existsSync(path)) {
    const { version, revision = 'development' } = JSON.parse(
      readFileSync(path, 'utf8'),
    ) as Partial<BuildInfo> & { version: string };
    return { version, revision };
  }
  const parent = dirname(directory);
  if (parent === directory) throw new Error('no package.json above the service kit');
  return readBuildInfo(parent);
}
