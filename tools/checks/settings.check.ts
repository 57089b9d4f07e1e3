/**
 * Keeps the tables of settings in the documentation equal to the config classes. To update them, run
 * `UPDATE_SNAPSHOTS=1 npm test -- --filter tools/checks/settings`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  asBoolean,
  asDurationListSeconds,
  asDurationSeconds,
  type ConfigError,
  groupsIn,
  loadConfig,
  settingsOf,
} from '@gatehouse/kit/settings';
import { workspace } from '#local-stack/layout.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { markdownTable } from '../test-run/markdown-table.js';
import { configOf, type DefaultSetting, settingsIn } from './settings.js';

/** More settings than an operator can survey. */
const SETTINGS_MAX = 115;
const TABLE = /(<!-- settings of ([a-z -]+) -->\n)[^]*?(\n<!-- end of settings -->)/g;
const PAGES = [
  'README.md',
  'docs/key-service.md',
  'docs/directory-sync.md',
  'docs/identity-forms.md',
  'docs/console.md',
  'docs/small.md',
];
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

interface AppSetting extends DefaultSetting {
  readonly app: string;
  readonly isRequired: boolean;
}

const byApp = new Map<string, AppSetting[]>();

beforeAll(async () => {
  for (const app of [...APP_NAMES, 'gatehouse']) {
    const Config = await configOf(app);
    const required = requiredIn(Config);
    const settings = settingsIn(Config).map((setting) => {
      return { ...setting, app, isRequired: required.has(setting.variable) };
    });
    byApp.set(app, settings);
  }
});

it.each(PAGES)('%s describes the settings as their classes do', (page) => {
  const path = join(workspace, page);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(new RegExp(TABLE.source));
  const expected = text.replaceAll(TABLE, (_, begin: string, of: string, end: string) => {
    return `${begin}\n${tableOf(of, dirname(page))}${end}`;
  });
  if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(path, expected);
  expect(readFileSync(path, 'utf8')).toBe(expected);
});

it(`the services have at most ${SETTINGS_MAX} settings, each described, and once in each service`, () => {
  const names = new Set<string>();
  for (const [app, settings] of byApp) {
    const own = settings.map(({ variable }) => variable);
    expect([app, own]).toEqual([app, [...new Set(own)]]);
    for (const { variable, about } of settings) {
      names.add(variable);
      expect([variable, about]).toEqual([variable, expect.stringMatching(/^.{8,}[^.]$/)]);
    }
  }
  expect(names.size).toBeLessThanOrEqual(SETTINGS_MAX);
});

it('services derive the same from GATEHOUSE_SECRET where they share a key', async () => {
  const environment = {
    GATEHOUSE_SECRET: 'a-gatehouse-secret-of-the-tests-0123456789',
    DATABASE_URL: 'postgres://x',
    KEYS_DATABASE_URL: 'postgres://x',
    FORMS_DATABASE_URL: 'postgres://x',
    REDIS_URL: 'redis://x',
    EXTERNAL_URL: 'https://sync.example.com',
    GATEHOUSE_URL: 'http://127.0.0.1:8089',
  };
  const derived = new Map<string, unknown>();
  for (const app of APP_NAMES) {
    for (const group of groupsIn(loadConfig(await configOf(app), environment))) {
      for (const { property, variable, derive } of settingsOf(group)) {
        if (derive) derived.set(`${app} ${variable}`, (group as Record<string, unknown>)[property]);
      }
    }
  }
  // An import with a fixed path would be a dependency of the build.
  const { DirectoryTargetConfig } = (await import(
    join(workspace, 'libs/import/src/settings.ts')
  )) as {
    DirectoryTargetConfig: new () => { encryptionKeys: string[] };
  };
  const imported = loadConfig(DirectoryTargetConfig, environment);
  const same = (...names: string[]) => {
    const [first, ...others] = names.map((name) => derived.get(name));
    expect(first).toBeDefined();
    expect(others).toEqual(others.map(() => first));
  };
  same('dsync-api ENCRYPTION_KEYS', 'dsync-worker ENCRYPTION_KEYS');
  expect(imported.encryptionKeys).toEqual(derived.get('dsync-api ENCRYPTION_KEYS'));
  same('key-service ENCRYPTION_KEYS', 'dsync-worker KEYS_ENCRYPTION_KEYS');
  same('identity-forms ENCRYPTION_KEYS', 'dsync-worker FORMS_ENCRYPTION_KEYS');
  const talking = APP_NAMES.filter((app) => app !== 'console');
  same(...talking.map((app) => `${app} MESSAGE_KEYS`));
  same('key-service CONSOLE_ADMIN_KEY', 'console CONSOLE_ADMIN_KEY');
  same('dsync-api VERDICT_PUBLIC_KEYS', 'identity-forms VERDICT_PUBLIC_KEYS');
  const values = [...derived.values()].map((value) => JSON.stringify(value));
  expect([derived.size, new Set(values).size]).toEqual([17, 9]);
});

/** @param of `every service`, or names of apps, whose other settings are listed */
function tableOf(of: string, folder: string): string {
  const isCommon = ({ variable, about }: AppSetting) =>
    [...byApp.values()].every((all) =>
      all.some((setting) => setting.variable === variable && setting.about === about),
    );
  if (of === 'every service') {
    const [settings = []] = byApp.values();
    return table(settings.filter(isCommon).map((setting) => rowOf(setting, folder)));
  }
  const apps = of.split(' ');
  const settings = apps.flatMap((app) => (byApp.get(app) ?? []).filter((each) => !isCommon(each)));
  if (apps.length === 1) return table(settings.map((setting) => rowOf(setting, folder)));
  return table(
    settings.map((setting) => {
      const [name = '', ...rest] = rowOf(setting, folder);
      return [name, setting.app, ...rest];
    }),
  );
}

function table(rows: string[][]): string {
  const head = ['Setting', 'Default', 'Meaning'];
  if (rows[0]?.length === 4) head.splice(1, 0, 'Service');
  return markdownTable([head, ...rows]);
}

function rowOf(setting: AppSetting, folder: string): string[] {
  const derived = setting.derive ? 'from `GATEHOUSE_SECRET`' : '';
  const known = setting.isRequired ? 'required' : defaultOf(setting);
  const text = [known, derived].filter(Boolean).join(', or ');
  return [`\`${setting.variable}\``, text, linkedFrom(folder, setting.about)];
}

function defaultOf({ value, parse }: AppSetting): string {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value) && value.length === 0) return '';
  const isDuration = [asDurationSeconds, asDurationListSeconds].some((each) => each === parse);
  const values = [value].flat() as (string | number | boolean)[];
  const texts = values.map((each) => (isDuration ? durationText(Number(each)) : String(each)));
  return `\`${texts.join(parse === asBoolean ? '' : ',')}\``;
}

function durationText(seconds: number): string {
  if (seconds === 0) return '0';
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

/** Links of descriptions begin at the root of the repository. */
function linkedFrom(folder: string, about: string): string {
  return about.replaceAll(/\]\(([^)#]+)(#[^)]*)?\)/g, (_, target: string, anchor = '') => {
    return `](${relative(folder, target)}${anchor as string})`;
  });
}

/** The variables without which a service does not start. */
function requiredIn(Config: new () => object): ReadonlySet<string> {
  try {
    loadConfig(Config, {});
    return new Set();
  } catch (error) {
    return new Set((error as ConfigError).faults.map((fault) => fault.split(':')[0] ?? ''));
  }
}
