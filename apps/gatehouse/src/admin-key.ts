import { LocalExchanges } from '@gatehouse/kit/exchange';
import { bodyBudget, createService, processRegistry } from '@gatehouse/nest-kit/http';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { AdminKeys } from '../../key-service/src/keys/issued/admin-keys.js';
import { keyService } from '../../key-service/src/service.js';
import { type Configs } from './config.js';

/** The command `admin-key`: issues a key of an administrator, and prints it. */
export async function printAdminKey({ keyService: config }: Configs): Promise<void> {
  // The processes that run need not hear of a new key.
  const exchanges = new LocalExchanges(config.database.sessionUrl);
  try {
    const service = await createService(keyService(config), {
      logger: createLogger('admin-key', 'silent'),
      registry: processRegistry(),
      bodies: bodyBudget(),
      openExchange: ({ name }) => exchanges.of(name),
    });
    process.stdout.write(`${await service.app.get(AdminKeys, { strict: false }).issue()}\n`);
    await service.end();
  } catch (error) {
    process.stderr.write(`No key was issued: ${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await exchanges.close();
  }
}
