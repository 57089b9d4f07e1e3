/**
 * Settings are environment variables. A class declares them; `loadConfig` reads them and reports all
 * errors together. Every `FOO` may be given as `FOO_FILE`, the path of a file with the value.
 */
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { validateSync } from 'class-validator';
import { asText, type SettingParser } from './setting-parsers.js';

interface Setting {
  property: string;
  variable: string;
  parse: SettingParser<unknown>;
}

type Environment = Readonly<Record<string, string | undefined>>;
type ConfigClass<T extends object> = new () => T;

const SETTINGS = Symbol('gatehouse:settings');
const SECRETS = Symbol('gatehouse:secrets');

/** All errors of a configuration; `faults` has one line for each, which names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`configuration is not valid: ${faults.join('; ')}`);
  }
}

/** Reads a property from the environment variable `variable`; its initializer is the default. */
export function Env<T>(variable: string, parse?: SettingParser<T>): PropertyDecorator {
  return (target, property) => {
    const setting: Setting = { property: String(property), variable, parse: parse ?? asText };
    Reflect.defineMetadata(SETTINGS, [...settingsOf(target), setting], target);
  };
}

/** Marks a property that is never printed. */
export function Secret(): PropertyDecorator {
  return (target, property) => {
    const secrets = (Reflect.getMetadata(SECRETS, target) ?? []) as string[];
    Reflect.defineMetadata(SECRETS, [...secrets, String(property)], target);
  };
}

/**
 * Reads, parses and validates all settings of `Config`.
 *
 * @param environment defaults to `process.env`
 * @throws ConfigError listing every fault, never the value of a secret
 */
export function loadConfig<T extends object>(
  Config: ConfigClass<T>,
  environment: Environment = process.env,
): T {
  const config = new Config();
  const settings = settingsOf(Config.prototype as object);
  const faults: string[] = [];
  const failedProperties = new Set<string>();

  for (const { property, variable, parse } of settings) {
    try {
      const text = readVariable(environment, variable);
      if (text !== undefined) (config as Record<string, unknown>)[property] = parse(text);
    } catch (error) {
      failedProperties.add(property);
      faults.push(`${variable}: ${(error as Error).message}`);
    }
  }

  for (const { property, constraints } of validateSync(config, { forbidUnknownValues: false })) {
    if (failedProperties.has(property)) continue;
    const variable = settings.find((setting) => setting.property === property)?.variable;
    for (const message of Object.values(constraints ?? {})) {
      faults.push(`${variable ?? property}: ${message.replace(`${property} `, '')}`);
    }
  }

  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** As `loadConfig`, but prints errors to stderr and exits with 78 (EX_CONFIG of sysexits.h). */
export function loadConfigOrExit<T extends object>(Config: ConfigClass<T>): T {
  try {
    return loadConfig(Config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(
      `The configuration is not valid:\n${error.faults.map((fault) => `  ${fault}\n`).join('')}`,
    );
    process.exit(78);
  }
}

/** The settings by variable name, for a log line: secrets that are set print as `[secret]`. */
export function describeConfig(config: object): Record<string, unknown> {
  const secrets = (Reflect.getMetadata(SECRETS, config) ?? []) as string[];
  const described: Record<string, unknown> = {};
  for (const { property, variable } of settingsOf(config)) {
    const value = (config as Record<string, unknown>)[property];
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
    described[variable] = secrets.includes(property) && isSet ? '[secret]' : value;
  }
  return described;
}

function settingsOf(target: object): Setting[] {
  return (Reflect.getMetadata(SETTINGS, target) ?? []) as Setting[];
}

function readVariable(environment: Environment, variable: string): string | undefined {
  const direct = environment[variable];
  const path = environment[`${variable}_FILE`];
  if (direct !== undefined && direct !== '') {
    if (path) throw new Error(`is set twice, directly and by ${variable}_FILE`);
    return direct;
  }
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new Error(`${variable}_FILE names a file that cannot be read: ${path}`);
  }
}
