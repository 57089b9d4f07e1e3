/** Links of the portal in a world of a seed, with the real services, SQL and PostgreSQL. */
import { KeyRing } from '@gatehouse/crypto';
import { type AuditEvents } from '@gatehouse/kit/audit';
import { Sql } from '@gatehouse/kit/sql';
import { simulateLink, SteppedDatabase, type SteppedPool } from '@gatehouse/testing/simulation';
import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { KeyServiceConfig } from '../src/config.js';
import { PortalSessionsService } from '../src/portal/portal-sessions.service.js';
import { PortalRepository } from '../src/store/portal/portal.repository.js';
import { createKeyDatabase } from './key-database.js';

const CALL = { caller: 'tests', admin: null, ip: '', requestId: '' };
const HOUR_SECONDS = 3_600;
const config = Object.assign(new KeyServiceConfig(), { externalUrl: 'https://keys.example.com' });
const ring = KeyRing.fromTexts(['a-secret-of-at-least-32-characters']);
const audit = { insert: () => Promise.resolve() } as unknown as AuditEvents;

let opening: Promise<SteppedDatabase> | undefined;

/** @returns the faults of a seed: none if the link has one session */
export async function simulate(seed: number): Promise<string[]> {
  opening ??= createKeyDatabase().then((database) => SteppedDatabase.open(database));
  const database = await opening;
  const serviceOn = (pool: SteppedPool) => {
    const sql = new Sql(pool as Pool);
    return new PortalSessionsService(config, sql, audit, new PortalRepository(sql), ring);
  };
  return simulateLink(seed, database, async (mayBreak) => {
    const terms = {
      actorId: randomUUID(),
      allow: [],
      scopes: [],
      tags: [],
      prefix: null,
      maxKeys: 1,
      keyTtlSeconds: null,
      rateLimits: [],
      returnUrl: null,
      language: null,
    };
    const created = await serviceOn(database.plain).create(
      { terms, ttlSeconds: HOUR_SECONDS },
      CALL,
    );
    const secret = created.url.split('/').at(-1) as string;
    const service = serviceOn(database.pool(mayBreak));
    return {
      open: async () => (await service.open(secret, () => CALL))?.cookie,
      enter: async (cookie) => (await service.enter(cookie)) !== undefined,
      revoke: () => service.revoke(created.session.sessionId, CALL),
    };
  });
}

export const close = async () => (await opening)?.close();
