/**
 * Settings are environment variables. A class declares them, each with a sentence for operators, from
 * which the tables of the documentation are made. A property that holds another such class is a group of
 * settings. `loadConfig` reads them all and reports all errors together. Every `FOO` may be given as
 * `FOO_FILE`, the path of a file with the value.
 */
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { KeyRing } from '@gatehouse/crypto';
import { validateSync } from 'class-validator';
import { type Derivation } from './derived-secrets.js';
import { IsKeyRing } from './key-ring.constraint.js';
import { asList, asText, type SettingParser } from './setting-parsers.js';

export interface Setting {
  readonly property: string;
  readonly variable: string;
  /** Description for operators, as Markdown. */
  readonly about: string;
  readonly parse: SettingParser<unknown>;
  /** The value where only GATEHOUSE_SECRET is set. */
  readonly derive?: Derivation;
}

/** GATEHOUSE_SECRET: its ring, or what is wrong with it; neither if it is not set. */
interface DerivationSource {
  readonly ring?: KeyRing;
  readonly fault?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type ConfigClass<T extends object> = new () => T;

/** From its value, those of secrets are derived that are not set; see derived-secrets.ts. */
export const GATEHOUSE_SECRET = 'GATEHOUSE_SECRET';

const SETTINGS = Symbol('gatehouse:settings');
const SECRETS = Symbol('gatehouse:secrets');

/** All errors of a configuration; `faults` has one line for each, which names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`configuration is not valid: ${faults.join('; ')}`);
  }
}

/**
 * Reads a property from the environment variable `variable`; its initializer is the default.
 *
 * @param about what it means, for operators, as Markdown
 * @param derive one of `Derived`: makes the value from GATEHOUSE_SECRET where the variable is not set
 */
export function Env<T>(
  variable: string,
  about: string,
  parse?: SettingParser<T>,
  derive?: Derivation,
): PropertyDecorator {
  return (target, property) => {
    const setting: Setting = {
      property: String(property),
      variable,
      about,
      parse: parse ?? asText,
      derive,
    };
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
 * Reads, parses and validates all settings of `Config` and of its groups.
 *
 * @param environment defaults to `process.env`
 * @throws ConfigError listing every fault, never the value of a secret
 */
export function loadConfig<T extends object>(
  Config: ConfigClass<T>,
  environment: Environment = process.env,
): T {
  const config = new Config();
  const source = derivationSource(environment);
  const faults = [...groupsIn(config)].flatMap((group) => readGroup(group, environment, source));
  if (source.fault !== undefined) faults.unshift(source.fault);
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return config;
}

/** As `loadConfig`, but exits where it throws. */
export function loadConfigOrExit<T extends object>(Config: ConfigClass<T>): T {
  return exitOnConfigError(() => loadConfig(Config));
}

/** Prints the errors of a configuration to stderr, and exits with 78 (EX_CONFIG of sysexits.h). */
export function exitOnConfigError<T>(load: () => T): T {
  try {
    return load();
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
  const described: Record<string, unknown> = {};
  for (const group of groupsIn(config)) {
    const secrets = (Reflect.getMetadata(SECRETS, group) ?? []) as string[];
    for (const { property, variable } of settingsOf(group)) {
      const value = (group as Record<string, unknown>)[property];
      const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
      described[variable] = secrets.includes(property) && isSet ? '[secret]' : value;
    }
  }
  return described;
}

/** The settings of a config object without those of its groups. */
export function settingsOf(group: object): readonly Setting[] {
  return (Reflect.getMetadata(SETTINGS, group) ?? []) as Setting[];
}

/** A config object and the groups in it, at any depth. */
export function* groupsIn(config: object): Generator<object> {
  yield config;
  for (const value of Object.values(config)) {
    if (typeof value === 'object' && value !== null && settingsOf(value as object).length > 0) {
      yield* groupsIn(value as object);
    }
  }
}

/** @returns the faults, each naming its variable */
function readGroup(
  group: object,
  environment: Environment,
  { ring, fault }: DerivationSource,
): string[] {
  const settings = settingsOf(group);
  const faults: string[] = [];
  const failedProperties = new Set<string>();
  for (const { property, variable, parse, derive } of settings) {
    try {
      const text = readVariable(environment, variable);
      const value = text === undefined ? ring && derive?.(ring) : parse(text);
      if (value !== undefined) (group as Record<string, unknown>)[property] = value;
    } catch (error) {
      failedProperties.add(property);
      faults.push(`${variable}: ${(error as Error).message}`);
    }
  }
  for (const { property, constraints } of validateSync(group, { forbidUnknownValues: false })) {
    if (failedProperties.has(property)) continue;
    const { variable = property, derive } =
      settings.find((each) => each.property === property) ?? {};
    const isMissing = derive && readVariable(environment, variable) === undefined;
    if (isMissing && fault !== undefined) continue;
    const or = isMissing ? `, or set ${GATEHOUSE_SECRET}` : '';
    for (const message of Object.values(constraints ?? {})) {
      faults.push(`${variable}: ${message.replace(`${property} `, '')}${or}`);
    }
  }
  return faults;
}

function derivationSource(environment: Environment): DerivationSource {
  let text: string | undefined;
  try {
    text = readVariable(environment, GATEHOUSE_SECRET);
    return text === undefined ? {} : { ring: KeyRing.fromTexts(asList(text)) };
  } catch (error) {
    const message =
      text === undefined ? (error as Error).message : new IsKeyRing().defaultMessage();
    return { fault: `${GATEHOUSE_SECRET}: ${message}` };
  }
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
