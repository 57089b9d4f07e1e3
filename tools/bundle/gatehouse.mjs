#!/usr/bin/env node
// @ts-check
/**
 * The command `gatehouse`: runs a program of the bundles in this process. It belongs to the bundle of
 * apps/gatehouse; those of the services are beside that one.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const EX_USAGE = 2;
const USAGE = `Usage: gatehouse [COMMAND]

Without a command: all services in one process.

  key-service | dsync-api | dsync-worker | identity-forms | console
      one service
  migrate [key-service | dsync-api | identity-forms | console] [up | down [--to MIGRATION] --yes]
      the migrations of one service; without one, of all, up only
  [key-service] rotate-signing-key [--at-once] [--drop-others]
      adds a key that signs tokens
  admin-key
      issues a key of an administrator, and prints it
  --help, --version
`;
const SERVICES = ['key-service', 'dsync-api', 'dsync-worker', 'identity-forms', 'console'];
/** dsync-worker uses the tables of dsync-api. */
const MIGRATED = SERVICES.filter((service) => service !== 'dsync-worker');

const ROTATE = 'rotate-signing-key';
/** Commands of the process with all services. */
const OF_ALL = ['admin-key', ROTATE];

const [command, ...args] = process.argv.slice(2);
await main();

async function main() {
  const [first, ...others] = args;
  if (command === undefined) return run('gatehouse', 'main', []);
  if (OF_ALL.includes(command)) return run('gatehouse', 'main', [command, ...args]);
  if (command === 'key-service' && first === ROTATE) return run(command, ROTATE, others);
  if (command === 'migrate') {
    if (first !== undefined && MIGRATED.includes(first)) return run(first, command, others);
    return args.length === 0 || (first === 'up' && others.length === 0) ? migrateAll() : refuse();
  }
  if (args.length > 0) return refuse();
  if (SERVICES.includes(command)) return run(command, 'main', []);
  if (command === '--version') return print(versionOf());
  return command === '--help' ? print(USAGE) : refuse();
}

/**
 * @param {string} app
 * @param {string} program
 * @param {string[]} ownArgs
 */
async function run(app, program, ownArgs) {
  process.argv.splice(2, Infinity, ...ownArgs);
  await import(new URL(`../${app}/${program}.js`, import.meta.url).href);
}

async function migrateAll() {
  for (const service of MIGRATED) {
    await run(service, 'migrate', ['up']);
    // A program has ended when nothing is left to do.
    await once(process, 'beforeExit');
    if (process.exitCode) return;
  }
}

function versionOf() {
  const manifest = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  return `${JSON.parse(manifest).version}\n`;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
}

function refuse() {
  process.stderr.write(`"${process.argv.slice(2).join(' ')}" is not understood.\n\n${USAGE}`);
  process.exitCode = EX_USAGE;
}
