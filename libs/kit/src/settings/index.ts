export { DatabaseConfig } from './database.config.js';
export { Derived } from './derived-secrets.js';
export { IsKeyRing } from './key-ring.constraint.js';
export {
  ConfigError,
  Env,
  GATEHOUSE_SECRET,
  Secret,
  type Setting,
  describeConfig,
  exitOnConfigError,
  groupsIn,
  loadConfig,
  loadConfigOrExit,
  settingsOf,
} from './load-config.js';
export { RedisConfig } from './redis.config.js';
export { IsRedisUrl, IsTlsAuthority } from './redis.constraints.js';
export {
  type SettingParser,
  asBoolean,
  asDurationListSeconds,
  asDurationSeconds,
  asInteger,
  asList,
  asText,
} from './setting-parsers.js';
export { WebhooksConfig } from './webhooks.config.js';
