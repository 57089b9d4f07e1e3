/** The gateway surface of each operation, from the API descriptions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

export interface SurfaceOperation {
  service: string;
  method: string;
  path: string;
  /** Prefix that the gateway adds to paths that every service has. */
  prefix: string;
  isPublic: boolean;
}

/** Credentials of the outside. All others are those of administrators. */
const PUBLIC_CREDENTIALS = ['scim-secret'];
/** Without credentials, but not for the outside: they say what runs here, and every service has them. */
const INTERNAL_PATHS = /^\/(?:version|health\/|events\/)/;

interface Description {
  paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
  security?: Record<string, unknown>[];
}

export function operationsOf(services: readonly string[]): SurfaceOperation[] {
  return services.flatMap((service) => {
    const file = join(workspace, 'apps', service, 'src', `${service}.openapi.json`);
    const { paths, security: common } = JSON.parse(readFileSync(file, 'utf8')) as Description;
    return Object.entries(paths).flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, { security = common ?? [] }]) => {
        const isInternal = INTERNAL_PATHS.test(template);
        const credentials = security.flatMap((each) => Object.keys(each));
        return {
          service,
          method: method.toUpperCase(),
          path: template.replaceAll(/\{\w+\}/g, 'a1'),
          prefix: isInternal ? `/${service}` : '',
          isPublic: !isInternal && credentials.every((each) => PUBLIC_CREDENTIALS.includes(each)),
        };
      }),
    );
  });
}

/** A location of the public surface: a path, or the beginning of paths if it ends with a slash. */
export function publicLocations(): string[] {
  const file = join(workspace, 'deploy', 'gateway', 'public-routes.conf');
  const blocks = readFileSync(file, 'utf8')
    .split(/^location /m)
    .slice(1);
  const served = blocks.filter((block) => block.includes('proxy_pass'));
  return served.map((block) => /^(?:=|\^~) (\S+)/.exec(block)?.[1] ?? block);
}
