import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Controller, Get } from '@nestjs/common';

export const VERSION = readVersion(dirname(fileURLToPath(import.meta.url)));

@Controller('version')
export class VersionController {
  @Get()
  version(): { version: string } {
    return { version: VERSION };
  }
}

/** The version in the nearest package.json above this file, both in the sources and in dist/. */
function readVersion(directory: string): string {
  const path = join(directory, 'package.json');
  if (existsSync(path)) {
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  }
  const parent = dirname(directory);
  if (parent === directory) throw new Error('no package.json above the service kit');
  return readVersion(parent);
}
