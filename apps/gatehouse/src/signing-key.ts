import { LocalExchanges, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { rotateSigningKey } from '../../key-service/src/signing-key-rotation.js';
import { type Configs } from './config.js';

const SERVICE = 'key-service';

/** The command `rotate-signing-key`, of the small layout. */
export function rotateSigningKeyOf({ gatehouse, keyService: config }: Configs): Promise<void> {
  return rotateSigningKey(
    () => config,
    ({ redis, database, messages }) => {
      if (gatehouse.isAlone) return new LocalExchanges(database.sessionUrl).of(SERVICE);
      const logger = createLogger(SERVICE, 'silent');
      return redisExchange({ redis, service: SERVICE, messageKeys: messages.keys, logger });
    },
  );
}
