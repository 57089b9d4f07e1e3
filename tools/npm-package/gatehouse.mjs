#!/usr/bin/env node
// @ts-check
// The command `gatehouse` of the npm package: the servers of the image, which find a PostgreSQL of their own where
// DATABASE_URL names none, and the command line for all else.
import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';

const program = new URL('bundles/gatehouse/gatehouse.js', import.meta.url);
const DEFAULTS = {
  NODE_ENV: 'production',
  PORT: '8080',
  ADMIN_PORT: '8089',
  METRICS_PORT: '9080',
};
const args = process.argv.slice(2);
const [command = ''] = args;
/** Those of the process with all services, which has no command. */
const WITH_POSTGRES = ['', 'admin-key', 'rotate-signing-key'];
const SERVICES = [
  'key-service',
  'dsync-api',
  'dsync-worker',
  'identity-forms',
  'console',
  'migrate',
];

if (WITH_POSTGRES.includes(command) || SERVICES.includes(command)) await serve();
else {
  // From Node.js 22; code that was compiled once is kept in the folder for temporary files.
  /** @type {{ enableCompileCache?: () => void }} */ (modules).enableCompileCache?.();
  await import(new URL('bundles/cli/gatehouse.cjs', import.meta.url).href);
}

async function serve() {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  Object.assign(process.env, { ...DEFAULTS, ...process.env });
  if (DATABASE_URL || DATABASE_URL_FILE || !WITH_POSTGRES.includes(command)) {
    await import(program.href);
    return;
  }
  try {
    const { runWithPostgres } = await import('./own-postgres.mjs');
    process.exitCode = await runWithPostgres(fileURLToPath(program), args);
  } catch (error) {
    process.stderr.write(`gatehouse: ${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}
