// @ts-check
import { chownSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './commands.mjs';
import { StackFault } from './fault.mjs';

/** @typedef {{ uid: number, gid: number }} User */

/**
 * The user that runs PostgreSQL, which refuses to run as root: for root the owner of the existing
 * data, else `postgres`, else `nobody`.
 * @param {string} folder that PostgreSQL writes to; it exists
 * @param {string} dataFolder
 * @param {string} programFolder
 * @returns {Partial<User>} empty: the current user
 */
export function postgresUser(folder, dataFolder, programFolder) {
  const ourId = process.getuid?.();
  const dataOwner = existsSync(dataFolder) ? statSync(dataFolder) : undefined;
  if (ourId !== 0) {
    if (dataOwner !== undefined && ourId !== undefined && dataOwner.uid !== ourId) {
      throw new StackFault(
        `The database in ${folder} belongs to another user (an earlier run as root?)`,
        `Remove it: sudo rm -rf ${folder}`,
      );
    }
    return {};
  }
  const user =
    dataOwner !== undefined && dataOwner.uid !== 0
      ? { uid: dataOwner.uid, gid: dataOwner.gid }
      : unprivilegedUser();
  chownSync(folder, user.uid, user.gid);
  if (canWrite(user, folder) && canRun(user, join(programFolder, 'postgres'))) return user;
  throw new StackFault(
    `PostgreSQL cannot run as root, and no other user can enter ${folder}`,
    'Move the clone to a folder that other users can enter, such as /srv or /opt; run as an ordinary user; or set DATABASE_URL.',
  );
}

/**
 * The user for another program that refuses to run as root; the folder becomes that user's.
 * @param {string} folder
 * @returns {Partial<User>} empty: the current user
 */
export function ownerOf(folder) {
  if (process.getuid?.() !== 0) return {};
  const user = unprivilegedUser();
  chownSync(folder, user.uid, user.gid);
  return user;
}

/** @returns {User} */
function unprivilegedUser() {
  for (const name of ['postgres', 'nobody']) {
    const uid = ask('id', ['-u', name]);
    const gid = ask('id', ['-g', name]);
    if (uid.ok && gid.ok) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/**
 * @param {User} user
 * @param {string} program
 */
function canRun(user, program) {
  return ask(program, ['--version'], { ...user, cwd: '/' }).ok;
}

/**
 * @param {User} user
 * @param {string} folder
 */
function canWrite(user, folder) {
  const script = 'cd "$1" && touch .reach && rm .reach';
  return ask('sh', ['-c', script, 'sh', folder], { ...user, cwd: '/' }).ok;
}
