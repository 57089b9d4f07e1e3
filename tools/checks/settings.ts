import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupsIn, type Setting, settingsOf as ownSettingsOf } from '@gatehouse/kit/settings';
import { workspace } from '#local-stack/layout.mjs';

export type ConfigClass = new () => object;

/** The config class of an app, as `npm start` finds it. */
export async function configOf(app: string): Promise<ConfigClass> {
  // An import with a fixed path would be a dependency of the build.
  const path = join(workspace, 'apps', app, 'src', 'config.ts');
  const module = (await import(path)) as Record<string, ConfigClass>;
  const [, found] = Object.entries(module).find(([name]) => name.endsWith('Config')) ?? [];
  assert.ok(found, path);
  return found;
}

export interface DefaultSetting extends Setting {
  readonly value: unknown;
}

/** All settings of a config class with their defaults, those of its groups last. */
export function settingsIn(Config: ConfigClass): DefaultSetting[] {
  return [...groupsIn(new Config())].flatMap((group) =>
    ownSettingsOf(group).map((setting) => {
      const value = (group as Record<string, unknown>)[setting.property];
      return { ...setting, value };
    }),
  );
}

/** @returns the environment variables that an app reads, each with its `_FILE` variant */
export async function settingsOf(app: string): Promise<Set<string>> {
  const names = settingsIn(await configOf(app)).map(({ variable }) => variable);
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]));
}

/** How long a shutdown may take by the defaults of an app: the drain time and what follows. */
export async function shutdownSeconds(app: string): Promise<number> {
  const settings = settingsIn(await configOf(app));
  const [drain, rest] = ['DRAIN_TIME', 'SHUTDOWN_TIMEOUT'].map(
    (name) => settings.find(({ variable }) => variable === name)?.value,
  );
  return Number(drain) + Number(rest);
}

/** Whether the SDK of OpenTelemetry is asked for a setting where tracing is on. */
export function isReadBySdk(name: string): boolean {
  return readFileSync(join(workspace, 'libs/kit/src/tracing/sdk.ts'), 'utf8').includes(`'${name}'`);
}
