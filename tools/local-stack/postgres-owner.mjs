// @ts-check
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ask } from './commands.mjs';
import { StackFault } from './fault.mjs';
import { findProgram } from './programs.mjs';

/**
 * Under which user PostgreSQL runs, and how to start a program as that user.
 * @typedef {object} PostgresOwner
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string[]} before words to put before a command line
 */

/**
 * PostgreSQL refuses to run as root, so root lends it another user: the owner of the data there
 * is, else `postgres`, else `nobody`. Anybody else runs it as themselves.
 * @param {string} folder that it will own; it exists
 * @param {string} dataFolder
 * @param {import('./postgres-programs.mjs').PostgresPrograms} found
 * @returns {{ owner: PostgresOwner, programs: import('./postgres-programs.mjs').PostgresPrograms }}
 *   `programs` where that user can run them
 */
export function lendUser(folder, dataFolder, found) {
  const ourId = process.getuid?.();
  const dataOwner = existsSync(dataFolder) ? statSync(dataFolder) : undefined;
  if (ourId !== 0) {
    if (dataOwner !== undefined && ourId !== undefined && dataOwner.uid !== ourId) {
      throw new StackFault(
        `The database in ${folder} belongs to another user (an earlier run as root?)`,
        `Remove it: sudo rm -rf ${folder}`,
      );
    }
    return { owner: { before: [] }, programs: found };
  }
  const user =
    dataOwner !== undefined && dataOwner.uid !== 0
      ? { uid: dataOwner.uid, gid: dataOwner.gid }
      : unprivilegedUser();
  chownSync(folder, user.uid, user.gid);
  const programs = canRun(user, found) ? found : moveIntoTheOpen(found);
  if (canWrite(user, [], folder)) return { owner: { ...user, before: [] }, programs };
  const before = passThrough(user);
  if (before !== undefined && canWrite({}, before, folder)) return { owner: { before }, programs };
  throw new StackFault(
    `PostgreSQL cannot run as root, and no other user may enter ${folder} (a folder above it is closed)`,
    'Put the clone where others may enter, such as /srv or /opt; or run as an ordinary user; or set DATABASE_URL.',
  );
}

/** @returns {{ uid: number, gid: number }} */
function unprivilegedUser() {
  for (const name of ['postgres', 'nobody']) {
    const uid = ask('id', ['-u', name]);
    const gid = ask('id', ['-g', name]);
    if (uid.ok && gid.ok) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/**
 * Below a closed folder such as /root, the lent user may pass by one capability of root's and
 * stays nobody otherwise.
 * @param {{ uid: number, gid: number }} user
 * @returns {string[] | undefined}
 */
function passThrough({ uid, gid }) {
  const setpriv = findProgram(['setpriv']);
  if (setpriv === undefined) return undefined;
  return [
    setpriv,
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=+dac_override',
    '--bounding-set=-all,+dac_override',
    '--',
  ];
}

/**
 * @param {{ uid: number, gid: number }} user
 * @param {import('./postgres-programs.mjs').PostgresPrograms} programs
 */
function canRun(user, { folder }) {
  return ask(join(folder, 'postgres'), ['--version'], { ...user, cwd: '/' }).ok;
}

/**
 * PostgreSQL asks the system whether it may run itself in a way that no capability helps with; so
 * programs that lie below a closed folder are copied to where root keeps what programs need.
 * @param {import('./postgres-programs.mjs').PostgresPrograms} programs
 * @returns {import('./postgres-programs.mjs').PostgresPrograms}
 */
function moveIntoTheOpen(programs) {
  const source = dirname(programs.folder);
  const key = createHash('sha256').update(source).digest('hex').slice(0, 12);
  const copy = join('/var/lib/gatehouse', `postgres-${programs.major}-${key}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, copy);
  }
  return { ...programs, folder: join(copy, 'bin') };
}

/**
 * @param {{ uid?: number, gid?: number }} user
 * @param {string[]} before
 * @param {string} folder
 */
function canWrite(user, before, folder) {
  const script = 'cd "$1" && touch .reach && rm .reach';
  const [command = '', ...args] = [...before, 'sh', '-c', script, 'sh', folder];
  return ask(command, args, { ...user, cwd: '/' }).ok;
}
