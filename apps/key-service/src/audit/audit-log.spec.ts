import type { EventPublisher } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { AuditLog } from './audit-log.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditRepository } from './audit.repository.js';

interface Write {
  ids: string[];
  succeed: () => void;
  fail: () => void;
}

let writes: Write[];
let published: string[];
let log: AuditLog;

const eventOf = (id: string) => ({ event_id: id, type: 'token.derived' }) as AuditEvent;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const record = (id: string) => log.record(eventOf(id));
const batches = () => writes.map(({ ids }) => ids);

beforeEach(() => {
  writes = [];
  published = [];
  const insert = (events: readonly AuditEvent[]) =>
    new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error('no database'));
      writes.push({ ids: events.map(({ event_id }) => event_id), succeed: resolve, fail });
    });
  const publish = (_type: string, { event_id }: AuditEvent) => published.push(event_id);
  const warn = () => undefined;
  log = new AuditLog(
    { insert } as unknown as AuditRepository,
    { publish } as unknown as EventPublisher,
    { warn } as unknown as Logger,
  );
});

it('writes the events of one turn together, and publishes them only after the write', async () => {
  const recorded = Promise.all(['a', 'b', 'c'].map(record));
  await turn();
  expect(batches()).toEqual([['a', 'b', 'c']]);
  expect(published).toEqual([]);
  writes[0]?.succeed();
  await recorded;
  expect(published).toEqual(['a', 'b', 'c']);
});

it('runs up to three writes at the same time', async () => {
  const recorded: Promise<void>[] = [];
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    recorded.push(record(id));
    await turn();
  }
  expect(batches()).toEqual([['a'], ['b'], ['c']]);
  writes[1]?.succeed();
  await recorded[1];
  await turn();
  expect(batches()).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
  for (const { succeed } of writes) succeed();
  await Promise.all(recorded);
  expect(published).toEqual(['b', 'a', 'c', 'd', 'e']);
});

it('rejects only the events that could not be written', async () => {
  const lost = record('a');
  await turn();
  const kept = record('b');
  await turn();
  writes[0]?.fail();
  writes[1]?.succeed();
  await expect(lost).rejects.toThrow('no database');
  await kept;
  expect(published).toEqual(['b']);
});

it('handles the failure of a background write itself', async () => {
  log.recordInBackground(eventOf('a'));
  await turn();
  writes[0]?.fail();
  await turn();
  expect(batches()).toEqual([['a']]);
});

it('shuts down only after everything is written', async () => {
  let hasEnded = false;
  const recorded = Promise.all(['a', 'b'].map(record));
  const ending = log.onApplicationShutdown().then(() => (hasEnded = true));
  await turn();
  expect([batches(), hasEnded]).toEqual([[['a', 'b']], false]);
  writes[0]?.succeed();
  await Promise.all([recorded, ending]);
});
