/** Settings of imports: credentials come from the environment or from files, never from arguments. */
import {
  asList,
  asText,
  ConfigError,
  DatabaseConfig,
  Derived,
  Env,
  IsKeyRing,
  loadConfig,
  Secret,
  WebhooksConfig,
} from '@gatehouse/kit/settings';
import { Matches, Validate } from 'class-validator';
import { StackFault } from '#local-stack/fault.mjs';
import { databaseUrlOf } from '#local-stack/migrations.mjs';
import { stackLayout } from '#local-stack/layout.mjs';
import { stackSecrets } from '#local-stack/secrets.mjs';
import { readState } from '#local-stack/state.mjs';

const HTTP = /^(https?:\/\/[^\s?#]+)?$/;
const POSTGRES = /^(postgres(ql)?:\/\/.*)?$/;
const EX_CONFIG = 78;

/** The target: the settings of dsync-api, by the same names. */
export class DirectoryTargetConfig {
  @Secret()
  @Env('ENCRYPTION_KEYS', 'The same as of dsync-api', asList, Derived.DSYNC_ENCRYPTION_KEYS)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  readonly database = new DatabaseConfig();
  readonly webhooks = new WebhooksConfig();
}

export class PolisConfig {
  @Env('POLIS_URL', 'The address of Polis, for its management API', asText)
  @Matches(HTTP, { message: 'must be an http or https address' })
  url = '';

  @Secret()
  @Env('POLIS_API_KEY', 'One of the API_KEYS of Polis', asText)
  apiKey = '';

  @Secret()
  @Env('POLIS_DATABASE_URL', 'The PostgreSQL database of Polis, to read that instead', asText)
  @Matches(POSTGRES, { message: 'must be a postgres:// address' })
  databaseUrl = '';

  @Secret()
  @Env('POLIS_DB_ENCRYPTION_KEY', 'The DB_ENCRYPTION_KEY of Polis, if it has one', asText)
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
