import { type DataSource } from 'typeorm';
import { loadConfigOrExit } from '../config/load-config.js';
import { DatabaseConfig } from '../config/service.config.js';
import { migrate } from './migrate.js';
import { parseUrl } from '../input/parse-url.js';

const EX_USAGE = 2;
const USAGE = 'Usage: migrate.js [up | down --yes]';

/**
 * The program `migrate.js [up | down --yes]` of an app: applies all pending migrations, or reverts
 * all, which deletes the data of the app. Reads DATABASE_URL.
 * Exit codes: 0 done, 1 failed, 2 unknown argument, 78 invalid setting.
 *
 * @param createDataSource takes the database URL; the data source is not yet connected
 */
export async function runMigrateCommand(
  app: string,
  createDataSource: (databaseUrl: string) => DataSource,
): Promise<void> {
  const [direction = 'up', ...rest] = process.argv.slice(2);
  const options = rest.join(' ');
  if ((direction !== 'up' || options !== '') && direction !== 'down') {
    fail(EX_USAGE, `"${[direction, ...rest].join(' ')}" is not understood. ${USAGE}`);
    return;
  }
  if (direction === 'down' && options !== '--yes') {
    fail(EX_USAGE, `down deletes all tables and data of ${app}; confirm with --yes. ${USAGE}`);
    return;
  }
  const { databaseUrl } = loadConfigOrExit(DatabaseConfig);
  try {
    const names = await migrate(createDataSource(databaseUrl), direction);
    const verb = direction === 'up' ? 'applied' : 'reverted';
    const outcome = names.length === 0 ? 'nothing to do' : `${verb} ${names.join(', ')}`;
    process.stdout.write(`${app}: ${outcome}\n`);
  } catch (error) {
    fail(1, `${app}: cannot migrate ${addressOf(databaseUrl)}: ${reasonOf(error)}`);
  }
}

function fail(exitCode: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

/** Host and database, without the credentials of the URL. */
function addressOf(databaseUrl: string): string {
  const url = parseUrl(databaseUrl);
  return url ? `the database at ${url.host}${url.pathname}` : 'the database of DATABASE_URL';
}

/** Node reports a refused connection to a name with several addresses as an AggregateError. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
