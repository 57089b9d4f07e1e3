export { DatabaseConfig } from './database.config.js';
export { IsKeyRing } from './key-ring.constraint.js';
export {
  ConfigError,
  Env,
  Secret,
  describeConfig,
  loadConfig,
  loadConfigOrExit,
} from './load-config.js';
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
