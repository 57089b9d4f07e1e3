/**
 * `npm run keys:rotate-signing` adds a signing key, with the settings of the running service. The
 * replicas load it when notified over Redis, otherwise within a minute. `--at-once` makes it sign
 * now instead of in 20 minutes. `--drop-others` is for a leaked key: every JWT that another key
 * signed becomes invalid.
 */
import { redisExchange } from '@gatehouse/kit/exchange';
import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { KeyServiceConfig } from './config.js';
import { rotateSigningKey } from './signing-key-rotation.js';

void rotateSigningKey(
  () => loadConfigOrExit(KeyServiceConfig),
  ({ redis, messages: { keys: messageKeys } }) => {
    const logger = createLogger('rotate-signing-key', 'silent');
    return redisExchange({ redis, service: 'key-service', messageKeys, logger });
  },
);
