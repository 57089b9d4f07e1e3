// @ts-check
import { chownSync, existsSync, statSync } from 'node:fs';
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
 * @param {string} program that the user must be able to start
 * @returns {PostgresOwner}
 */
export function postgresOwner(folder, dataFolder, program) {
  const ourId = process.getuid?.();
  const dataOwner = existsSync(dataFolder) ? statSync(dataFolder) : undefined;
  if (ourId !== 0) {
    if (dataOwner !== undefined && ourId !== undefined && dataOwner.uid !== ourId) {
      throw new StackFault(
        `The database in ${folder} belongs to another user (an earlier run as root?)`,
        `Remove it: sudo rm -rf ${folder}`,
      );
    }
    return { before: [] };
  }
  const user =
    dataOwner !== undefined && dataOwner.uid !== 0
      ? { uid: dataOwner.uid, gid: dataOwner.gid }
      : unprivilegedUser();
  chownSync(folder, user.uid, user.gid);
  if (canReach(user, [], folder, program)) return { ...user, before: [] };
  const before = passThrough(user);
  if (before !== undefined && canReach({}, before, folder, program)) return { before };
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
 * @param {{ uid?: number, gid?: number }} user
 * @param {string[]} before
 * @param {string} folder
 * @param {string} program
 */
function canReach(user, before, folder, program) {
  const [command = '', ...args] = [
    ...before,
    'sh',
    '-c',
    'cd "$1" && touch .reach && rm .reach && "$2" --version',
    'sh',
    folder,
    program,
  ];
  return ask(command, args, { ...user, cwd: '/' }).ok;
}
