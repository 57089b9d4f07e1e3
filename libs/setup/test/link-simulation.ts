/** Setup links in a world of a seed, with the real operations, SQL and PostgreSQL. */
import { type Directory, type DirectoryRepository } from '@gatehouse/directory-sync/parts';
import { createSyncDatabase, openSync } from '@gatehouse/directory-sync/testing';
import { randomToken, sha256 } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { Sql } from '@gatehouse/kit/sql';
import { simulateLink, SteppedDatabase } from '@gatehouse/testing/simulation';
import { randomBytes } from 'node:crypto';
import { type Pool } from 'pg';
import { SetupLinks, type SetupLinksContext } from '../src/links/setup-links.js';
import { SetupSessions, type SetupSessionsContext } from '../src/links/setup-sessions.js';
import { SetupRepository } from '../src/links/setup.repository.js';
import { CALL } from './setup-of.js';

const HOUR_SECONDS = 3_600;
const LINK = { allow: [], attributes: [], roles: [], returnUrl: null, locale: null };

interface Opened {
  database: SteppedDatabase;
  directory: Pick<Directory, 'id' | 'name' | 'tenant' | 'product'>;
}

let opening: Promise<Opened> | undefined;

async function open(): Promise<Opened> {
  const database = await SteppedDatabase.open(await createSyncDatabase());
  const test = await openSync(database.url);
  const directory = await test.newDirectory();
  await test.close();
  return { database, directory };
}

/** @returns the faults of a seed: none if the link has one session */
export async function simulate(seed: number): Promise<string[]> {
  opening ??= open();
  const { database, directory } = await opening;
  return simulateLink(seed, database, async (mayBreak) => {
    const id = uuidv7();
    const secret = randomToken();
    const keys = { secretSha256: sha256(secret), csrfKey: randomBytes(32) };
    const times = { ttlSeconds: HOUR_SECONDS, sessionSeconds: HOUR_SECONDS };
    const link = { id, directoryId: directory.id, ...LINK, ...keys, ...times };
    await database.plain.query('DELETE FROM dsync.setup_links');
    const plain = new Sql(database.plain);
    await new SetupRepository(plain).insert(link, plain);
    const sql = new Sql(database.pool(mayBreak) as Pool);
    const context = {
      sql,
      setups: new SetupRepository(sql),
      directories: { find: () => Promise.resolve(directory) } as unknown as DirectoryRepository,
      audit: { insert: () => Promise.resolve() },
    };
    const sessions = new SetupSessions(context as unknown as SetupSessionsContext);
    const links = new SetupLinks(context as unknown as SetupLinksContext);
    return {
      open: async () => (await unlessGone(sessions.open(secret, CALL)))?.cookie,
      enter: async (cookie) => (await unlessGone(sessions.enter(cookie))) !== undefined,
      revoke: () => links.revoke(id, {}, CALL),
    };
  });
}

export const close = async () => (await opening)?.database.close();

async function unlessGone<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof DomainError && error.httpStatus === 410) return undefined;
    throw error;
  }
}
