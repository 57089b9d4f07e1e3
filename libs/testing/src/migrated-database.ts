import { templateDatabase } from './template-database.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { requiredVariable } from './required-variable.js';
import { orClose } from './or-close.js';

/**
 * A fresh database with the tables of an app: a copy of a template on the server of a run of the tests,
 * which ends with it; migrated anew on other servers.
 * @param app names the template; what `migrate` does for it is the same in each process
 * @param migrate fills the database of this URL
 * @param serverUrl of another server than that of TEST_DATABASE_URL
 * @param serverPoolerUrl the pooler of that other server, if it has one
 */
export async function createMigratedDatabase(
  app: string,
  migrate: (url: string) => Promise<unknown>,
  serverUrl?: string,
  serverPoolerUrl?: string,
): Promise<TestDatabase> {
  if (serverUrl === undefined && process.env['TEST_TEMPLATES'] === 'true') {
    const url = requiredVariable('TEST_DATABASE_URL');
    return createTestDatabase(url, await templateDatabase(url, app, migrate));
  }
  const database = await createTestDatabase(serverUrl, undefined, serverPoolerUrl);
  await orClose(database.drop, () => migrate(database.url));
  return database;
}
