import { parseArgs } from 'node:util';
import { type DataSource } from 'typeorm';
import { DatabaseConfig, loadConfigOrExit } from '@gatehouse/kit/settings';
import { migrate } from './migrate.js';
import { parseUrl } from '@gatehouse/kit/input';

const EX_USAGE = 2;
const USAGE = 'Usage: migrate.js [up | down [--to MIGRATION] --yes]';

interface Command {
  readonly direction: 'up' | 'down';
  readonly to?: string;
  readonly yes?: boolean;
}

/**
 * The program `migrate.js [up | down [--to MIGRATION] --yes]` of an app: applies all pending
 * migrations, or reverts all, which deletes the data of the app. With `--to`, that migration and those
 * before it stay. Reads the settings of `DatabaseConfig`; DATABASE_DIRECT_URL comes
 * before DATABASE_URL.
 * Exit codes: 0 done, 1 failed, 2 unknown argument, 78 invalid setting.
 *
 * @param createDataSource takes the database URL; the data source is not yet connected
 */
export async function runMigrateCommand(
  app: string,
  createDataSource: (databaseUrl: string) => DataSource,
): Promise<void> {
  const args = process.argv.slice(2);
  const command = commandOf(args);
  if (!command) {
    fail(EX_USAGE, `"${args.join(' ')}" is not understood. ${USAGE}`);
    return;
  }
  const { direction, to, yes } = command;
  if (direction === 'down' && !yes) {
    const lost =
      to === undefined ? 'all tables and data' : `what was stored by migrations after ${to}`;
    fail(EX_USAGE, `down deletes ${lost} of ${app}; confirm with --yes. ${USAGE}`);
    return;
  }
  const { sessionUrl: databaseUrl, cell } = loadConfigOrExit(DatabaseConfig);
  try {
    const names = await migrate(createDataSource(databaseUrl), direction, {
      to,
      cell,
      report: (line) => print(app, line),
    });
    const verb = direction === 'up' ? 'applied' : 'reverted';
    print(app, names.length === 0 ? 'nothing to do' : `${verb} ${names.join(', ')}`);
  } catch (error) {
    fail(1, `${app}: cannot migrate ${addressOf(databaseUrl)}: ${reasonOf(error)}`);
  }
}

function commandOf(args: string[]): Command | undefined {
  const options = { to: { type: 'string' }, yes: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [direction = 'up', ...others] = positionals;
    if (others.length > 0 || values.to === '') return undefined;
    if (direction === 'down') return { direction, ...values };
    return direction === 'up' && Object.keys(values).length === 0 ? { direction } : undefined;
  } catch {
    return undefined;
  }
}

function print(app: string, line: string): void {
  process.stdout.write(`${app}: ${line}\n`);
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
