#!/usr/bin/env node
// @ts-check
// The command `gatehouse` of the npm package: that of the image, which finds a PostgreSQL of its own where
// DATABASE_URL names none.
import { fileURLToPath } from 'node:url';
import { runWithPostgres } from './own-postgres.mjs';

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
const COMMANDS = ['', 'admin-key', 'rotate-signing-key'];
const { DATABASE_URL, DATABASE_URL_FILE } = process.env;

Object.assign(process.env, { ...DEFAULTS, ...process.env });
if (DATABASE_URL || DATABASE_URL_FILE || !COMMANDS.includes(command)) {
  await import(program.href);
} else {
  try {
    process.exitCode = await runWithPostgres(fileURLToPath(program), args);
  } catch (error) {
    process.stderr.write(`gatehouse: ${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}
