import { KeyEvents } from '@gatehouse/schemas';
import { type AuditEvents } from '@gatehouse/kit/audit';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type EventPublisher } from '@gatehouse/nest-kit/exchange';
import { type KeyEventLog } from '../events/key-event-log.js';
import { type KeyRecord } from '../store/keys/key.record.js';
import { type CacheInvalidation } from '../store/cache/cache-invalidation.js';
import { KeyChanges } from './key-changes.js';

const context = { admin: null, caller: 'test', ip: '', requestId: 'r' };
const key = { keyId: 'k', actorId: 'a' } as KeyRecord;
const revoked = { type: KeyEvents.revoked, key };

let forgotten: string[][];
let published: string[];

beforeEach(() => {
  [forgotten, published] = [[], []];
});

/** KeyChanges on a database with this result of the commit. */
const changesWith = (commit: () => Promise<void>) =>
  new KeyChanges(
    {
      transaction: async (work: (sql: SqlExecutor) => Promise<unknown>) => {
        const result = await work({} as SqlExecutor);
        await commit();
        return result;
      },
    } as unknown as Sql,
    { insert: () => Promise.resolve() } as unknown as AuditEvents,
    { write: () => Promise.resolve(), wake: () => undefined } as unknown as KeyEventLog,
    {
      publish: (keyIds: string[]) => Promise.resolve(void forgotten.push(keyIds)),
    } as unknown as CacheInvalidation,
    { publish: (type: string) => published.push(type) } as unknown as EventPublisher,
  );

it('invalidates caches and publishes the event after the commit', async () => {
  const changes = changesWith(() => {
    expect([forgotten, published]).toEqual([[], []]);
    return Promise.resolve();
  });
  await changes.commit(context, (_sql, record) => Promise.resolve(record(revoked)));
  expect([forgotten, published]).toEqual([[['k']], ['key.revoked']]);
});

it('invalidates caches when the commit was not confirmed, because it may have succeeded', async () => {
  const lost = new Error('Connection terminated unexpectedly');
  const changes = changesWith(() => Promise.reject(lost));
  const change = changes.commit(context, (_sql, record) => Promise.resolve(record(revoked)));
  await expect(change).rejects.toBe(lost);
  expect([forgotten, published]).toEqual([[['k']], []]);
});

it('invalidates the handles of a new key together with its id', async () => {
  const changes = changesWith(() => Promise.resolve());
  const imported = { ...revoked, handles: ['hash', 'former hash'] };
  await changes.commit(context, (_sql, record) => Promise.resolve(record(imported)));
  expect(forgotten).toEqual([['k', 'hash', 'former hash']]);
});

it('invalidates nothing when nothing changed', async () => {
  const refused = changesWith(() => Promise.resolve());
  const change = refused.commit(context, () => Promise.reject(new Error('not found')));
  await expect(change).rejects.toThrow('not found');
  expect([forgotten, published]).toEqual([[], []]);
});
