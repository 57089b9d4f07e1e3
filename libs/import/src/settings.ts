/** Settings of imports: credentials come from the environment or from files, never from arguments. */
import {
  asBoolean,
  asInteger,
  asList,
  asText,
  ConfigError,
  DatabaseConfig,
  Env,
  IsKeyRing,
  loadConfig,
  Secret,
} from '@gatehouse/kit/settings';
import { ArrayNotEmpty, Matches, Max, Min, Validate } from 'class-validator';
import { StackFault } from '#local-stack/fault.mjs';
import { databaseUrlOf } from '#local-stack/migrations.mjs';
import { stackLayout } from '#local-stack/layout.mjs';
import { stackSecrets } from '#local-stack/secrets.mjs';
import { readState } from '#local-stack/state.mjs';

const HTTP = /^(https?:\/\/[^\s?#]+)?$/;
const POSTGRES = /^(postgres(ql)?:\/\/.*)?$/;
const EX_CONFIG = 78;

/** The target: the settings of dsync-api, by the same names. */
export class DirectoryTargetConfig extends DatabaseConfig {
  @Secret()
  @Env('ENCRYPTION_KEYS', asList)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  @Env('WEBHOOK_ALLOW_PRIVATE', asBoolean)
  webhookAllowPrivate = false;

  @Env('WEBHOOK_PORTS', (text) => asList(text).map(asInteger))
  @ArrayNotEmpty()
  @Min(1, { each: true })
  @Max(65_535, { each: true })
  webhookPorts: number[] = [80, 443];

  @Env('DSYNC_DIRECTORY_USERS_MAX', asInteger)
  @Min(1)
  directoryUsersMax = 2_000_000;

  @Env('DSYNC_DIRECTORY_GROUPS_MAX', asInteger)
  @Min(1)
  directoryGroupsMax = 500_000;

  @Env('DSYNC_DIRECTORY_BYTES_MAX', asInteger)
  @Min(1_048_576)
  directoryBytesMax = 20 * 1024 ** 3;
}

export class PolisConfig {
  /** The address of Polis, for its management API. */
  @Env('POLIS_URL', asText)
  @Matches(HTTP, { message: 'must be an http or https address' })
  url = '';

  /** One of the API_KEYS of Polis. */
  @Secret()
  @Env('POLIS_API_KEY', asText)
  apiKey = '';

  /** The PostgreSQL database of Polis, to read that instead. */
  @Secret()
  @Env('POLIS_DATABASE_URL', asText)
  @Matches(POSTGRES, { message: 'must be a postgres:// address' })
  databaseUrl = '';

  /** The DB_ENCRYPTION_KEY of Polis, if it has one. */
  @Secret()
  @Env('POLIS_DB_ENCRYPTION_KEY', asText)
  databaseEncryptionKey = '';
}

/** @throws StackFault naming each fault, never the value of a secret */
export function readSettings<T extends object>(
  Config: new () => T,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): T {
  try {
    return loadConfig(Config, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StackFault('The settings are not valid', error.faults.join('\n'), EX_CONFIG);
  }
}

/** The directory sync of the environment, else that of the running local stack. */
export function directoryTarget(): DirectoryTargetConfig {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  if (DATABASE_URL || DATABASE_URL_FILE) return readSettings(DirectoryTargetConfig);
  const layout = stackLayout();
  const databases = readState(layout)?.databases;
  if (databases === undefined) {
    throw new StackFault(
      'There is no directory sync to import into',
      'Start the local stack (npm start), or set DATABASE_URL and ENCRYPTION_KEYS as of dsync-api.',
      EX_CONFIG,
    );
  }
  return readSettings(DirectoryTargetConfig, {
    ...process.env,
    DATABASE_URL: databaseUrlOf('dsync-api', databases),
    ENCRYPTION_KEYS: stackSecrets(layout.secrets).dsyncEncryptionKey,
    WEBHOOK_ALLOW_PRIVATE: process.env.WEBHOOK_ALLOW_PRIVATE ?? 'true',
  });
}
