import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

/**
 * The environment variables that an app reads: the `@Env('NAME')` of its config class, and of the
 * kit's config class that it extends.
 * @returns each with its `_FILE` variant
 */
export function settingsOf(app: string): Set<string> {
  const own = readFileSync(join(workspace, 'apps', app, 'src', 'config.ts'), 'utf8');
  const kitFile = join(workspace, 'libs/service-kit/src/config/service.config.ts');
  const kit = readFileSync(kitFile, 'utf8');
  const adminAt = kit.indexOf('class AdminServiceConfig');
  const extended = own.includes('extends AdminServiceConfig') ? kit : kit.slice(0, adminAt);
  const names = [...(own + extended).matchAll(/@Env\('([A-Z][A-Z0-9_]*)'/g)];
  return new Set(names.flatMap(([, name]) => (name ? [name, `${name}_FILE`] : [])));
}

/** How long a shutdown may take by the defaults of the kit: the drain time and what follows. */
export function shutdownSeconds(): number {
  const kit = readFileSync(
    join(workspace, 'libs/service-kit/src/config/service.config.ts'),
    'utf8',
  );
  const [drain, rest] = ['drainTimeSeconds', 'shutdownTimeoutSeconds'].map((property) =>
    Number(new RegExp(`\\b${property} = (\\d+);`).exec(kit)?.[1]),
  );
  return (drain ?? NaN) + (rest ?? NaN);
}
