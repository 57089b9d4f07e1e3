import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

const KIT_CONFIGS = [
  'libs/kit/src/settings/database.config.ts',
  'libs/nest-kit/src/config/tracing.config.ts',
  'libs/nest-kit/src/config/service.config.ts',
  'libs/nest-kit/src/admin/admin-service.config.ts',
];

/**
 * The environment variables that an app reads: the `@Env('NAME')` of its config class, and of the
 * kit's config classes that it extends.
 * @returns each with its `_FILE` variant
 */
export function settingsOf(app: string): Set<string> {
  const own = textOf(`apps/${app}/src/config.ts`);
  const classes = [own, ...KIT_CONFIGS.map(textOf)].join('\n');
  const names: string[] = [];
  for (let config = /export class (\w+)/.exec(own)?.[1]; config !== undefined;) {
    const text = classIn(classes, config);
    names.push(...namesIn(text));
    config = /^class \w+ extends (\w+)/.exec(text)?.[1];
  }
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]));
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/@Env\('([A-Z][A-Z0-9_]*)'/g)].map(([, name = '']) => name);
}

function classIn(text: string, name: string): string {
  const rest = text.slice(text.indexOf(`class ${name} `));
  return rest.slice(0, rest.indexOf('\n}'));
}

function textOf(file: string): string {
  return readFileSync(join(workspace, file), 'utf8');
}

/** How long a shutdown may take by the defaults of the kit: the drain time and what follows. */
export function shutdownSeconds(): number {
  const kit = textOf('libs/nest-kit/src/config/service.config.ts');
  const [drain, rest] = ['drainTimeSeconds', 'shutdownTimeoutSeconds'].map((property) =>
    Number(new RegExp(`\\b${property} = (\\d+);`).exec(kit)?.[1]),
  );
  return (drain ?? NaN) + (rest ?? NaN);
}
