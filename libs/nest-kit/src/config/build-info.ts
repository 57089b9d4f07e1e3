import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BuildInfo {
  version: string;
  /** The commit that an image was built from; `development` outside of images. */
  revision: string;
}

export const BUILD_INFO = readBuildInfo(dirname(fileURLToPath(import.meta.url)));

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
