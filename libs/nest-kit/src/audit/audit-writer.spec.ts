import { type AuditRecord } from '@gatehouse/kit/audit';
import { AuditWriter } from './audit-writer.js';

interface Write {
  ids: string[];
  succeed: () => void;
  fail: () => void;
}

let writes: Write[];
let recorded: string[];
let writer: AuditWriter;

const eventOf = (id: string) => ({ event_id: id, type: 'admin.denied' }) as AuditRecord;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const record = (id: string) => writer.record(eventOf(id)).then(() => void recorded.push(id));
const batches = () => writes.map(({ ids }) => ids);

beforeEach(() => {
  writes = [];
  recorded = [];
  const insert = (events: readonly AuditRecord[]) =>
    new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error('no database'));
      writes.push({ ids: events.map(({ event_id }) => event_id), succeed: resolve, fail });
    });
  const warn = () => undefined;
  writer = new AuditWriter({ insert }, { warn });
});

it('writes the events of one turn together, and resolves only after the write', async () => {
  const all = Promise.all(['a', 'b', 'c'].map(record));
  await turn();
  expect(batches()).toEqual([['a', 'b', 'c']]);
  expect(recorded).toEqual([]);
  writes[0]?.succeed();
  await all;
  expect(recorded).toEqual(['a', 'b', 'c']);
});

it('runs up to three writes at the same time', async () => {
  const all: Promise<void>[] = [];
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    all.push(record(id));
    await turn();
  }
  expect(batches()).toEqual([['a'], ['b'], ['c']]);
  writes[1]?.succeed();
  await all[1];
  await turn();
  expect(batches()).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
  for (const { succeed } of writes) succeed();
  await Promise.all(all);
  expect(recorded).toEqual(['b', 'a', 'c', 'd', 'e']);
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
  expect(recorded).toEqual(['b']);
});

it('handles the failure of a background write itself', async () => {
  writer.recordInBackground(eventOf('a'));
  await turn();
  writes[0]?.fail();
  await turn();
  expect(batches()).toEqual([['a']]);
});

it('shuts down only after everything is written', async () => {
  let hasEnded = false;
  const all = Promise.all(['a', 'b'].map(record));
  const ending = writer.beforeApplicationShutdown().then(() => (hasEnded = true));
  await turn();
  expect([batches(), hasEnded]).toEqual([[['a', 'b']], false]);
  writes[0]?.succeed();
  await Promise.all([all, ending]);
});
