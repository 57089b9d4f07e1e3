import { type TestDatabase } from '@gatehouse/testing';
import pg from 'pg';
import {
  createSyncDatabase,
  group,
  openSync,
  patch,
  type TestDirectory,
  type TestSync,
  user,
} from '../harness.js';
import { announcedCte } from '@gatehouse/delivery';
import { DSYNC_SCHEMA } from '../../src/database/schema.js';
import { type DirectoryEvent } from '../../src/events/event.types.js';

// The guarantees of ADR 0020.

let database: TestDatabase;
let test: TestSync;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createSyncDatabase();
  test = await openSync(database.url);
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

/** A connection with an open transaction. */
async function transaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  clients.push(client);
  await client.connect();
  await client.query(`BEGIN; SET LOCAL lock_timeout = '2s'`);
  return client;
}

/** Writes an event as the statements of the library do, and leaves the transaction open. */
async function writeEvent(client: pg.Client, directory: TestDirectory, name: string) {
  const announced = announcedCte(DSYNC_SCHEMA, '$1::uuid');
  await client.query(`WITH ${announced} SELECT FROM announced`, [directory.id]);
  await client.query(
    `INSERT INTO dsync.events (source_id, type, data)
      VALUES ($1, 'group.created', $2)`,
    [directory.id, JSON.stringify({ id: directory.id, name, raw: {} })],
  );
}

const namesOf = (events: DirectoryEvent[]) => events.map(({ data }) => data.name);

describe('a reader that continues from the last event', () => {
  it('waits for an event that has a number but is not committed', async () => {
    const directory = await test.newDirectory();
    const slow = await transaction();
    await writeEvent(slow, directory, 'first');
    const fast = await transaction();
    await writeEvent(fast, directory, 'second');
    await fast.query('COMMIT');

    expect(await test.eventsOf(directory)).toEqual([]);
    await slow.query('COMMIT');
    expect(namesOf(await test.eventsOf(directory))).toEqual(['first', 'second']);
  });

  it('skips a number whose transaction was rolled back', async () => {
    const directory = await test.newDirectory();
    const lost = await transaction();
    await writeEvent(lost, directory, 'lost');
    const kept = await transaction();
    await writeEvent(kept, directory, 'kept');
    await kept.query('COMMIT');
    await lost.query('ROLLBACK');
    expect(namesOf(await test.eventsOf(directory))).toEqual(['kept']);
  });

  it('is not delayed by other directories or by transactions without events', async () => {
    const [directory, sibling] = [await test.newDirectory(), await test.newDirectory()];
    await writeEvent(await transaction(), sibling, 'elsewhere');
    const foreign = await transaction();
    await foreign.query('SELECT pg_current_xact_id()');
    const writer = await transaction();
    await writeEvent(writer, directory, 'here');
    await writer.query('COMMIT');
    expect(namesOf(await test.eventsOf(directory))).toEqual(['here']);
  });

  it('may begin behind the newest event of all directories', async () => {
    const [directory, sibling] = [await test.newDirectory(), await test.newDirectory()];
    await directory.send('POST', '/Users', user('before'));
    await sibling.send('POST', '/Users', user('elsewhere'));
    const { data: latest } = await test.sync.events.latest();
    await directory.send('POST', '/Groups', group('after'));
    const page = { directoryId: directory.id, after: latest?.id };
    expect(namesOf((await test.sync.events.getAll(page)).data ?? [])).toEqual(['after']);
  });

  it('may begin at a time, of a directory or of all', async () => {
    const directory = await test.newDirectory();
    await directory.send('POST', '/Users', user('first'));
    await directory.send('POST', '/Groups', group('second'));
    const [, second] = await test.eventsOf(directory);
    const fromTime = second?.created_at;
    const of = async (page: object) =>
      namesOf((await test.sync.events.getAll({ fromTime, ...page })).data ?? []);
    expect((await of({ directoryId: directory.id })).at(-1)).toBe('second');
    expect((await of({})).at(-1)).toBe('second');
    expect(await of({ fromTime: '2999-01-01T00:00:00Z' })).toEqual([]);
    for (const wrong of [{ fromTime: 'yesterday' }, { after: second?.id }]) {
      const { error } = await test.sync.events.getAll({ fromTime, ...wrong });
      expect(error?.code).toBe(400);
    }
  });

  it('misses no event and sees the changes of a user in order, in any order of commits', async () => {
    const directory = await test.newDirectory();
    const users = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const { data } = await directory.send('POST', '/Users', user(name));
        return data.id as string;
      }),
    );
    const seen: DirectoryEvent[] = [];
    let isWriting = true;
    const read = async () => {
      const after = seen.at(-1)?.id;
      const { data } = await test.sync.events.getAll({ directoryId: directory.id, after });
      seen.push(...(data ?? []));
      return data?.length ?? 0;
    };
    const reader = (async () => {
      while (isWriting) await read();
      while ((await read()) > 0);
    })();
    const rounds = 30;
    await Promise.all(
      users.flatMap((id) =>
        [1, 2, 3].map(async (writer) => {
          for (let round = 0; round < rounds; round++) {
            const title = { op: 'replace', path: 'title', value: `${writer}-${round}` };
            const { status } = await directory.send('PATCH', `/Users/${id}`, patch(title));
            expect(status).toBe(200);
          }
        }),
      ),
    );
    isWriting = false;
    await reader;

    expect(seen).toHaveLength(users.length * (1 + 3 * rounds));
    const sequences = seen.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    for (const id of users) {
      const titles = seen.filter(({ data }) => data.id === id).map(titleBeforeAndAfter);
      titles.slice(1).forEach(({ before }, index) => {
        expect(before).toBe(titles[index]?.after);
      });
    }
  });
});

function titleBeforeAndAfter({ data, previous }: DirectoryEvent) {
  const titleOf = (source: unknown) =>
    (source as { raw?: { title?: string } } | undefined)?.raw?.title;
  return { before: titleOf(previous), after: titleOf(data) };
}

describe('writers', () => {
  it('of one directory do not wait for each other to number their events', async () => {
    const directory = await test.newDirectory();
    const writers = await Promise.all([transaction(), transaction(), transaction()]);
    for (const [index, writer] of writers.entries()) {
      await writeEvent(writer, directory, `event ${index}`);
    }
    for (const writer of writers.reverse()) await writer.query('COMMIT');
    expect(namesOf(await test.eventsOf(directory))).toEqual(['event 0', 'event 1', 'event 2']);
  });

  it('leave no event when the change is rolled back', async () => {
    const directory = await test.newDirectory();
    const body = user('twice');
    const answers = await Promise.all([1, 2, 3].map(() => directory.send('POST', '/Users', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await test.eventsOf(directory)).toHaveLength(1);
  });
});

describe('the horizon', () => {
  it('is correct when the low 32 bits of the sequence wrap around', async () => {
    const directory = await test.newDirectory();
    await database.query(`SELECT setval('dsync.event_sequence', 4294967295, true)`);
    const before = await transaction();
    await writeEvent(before, directory, 'before');
    const after = await transaction();
    await writeEvent(after, directory, 'after');
    await after.query('COMMIT');
    expect(await test.eventsOf(directory)).toEqual([]);
    await before.query('COMMIT');
    expect(namesOf(await test.eventsOf(directory))).toEqual(['before', 'after']);
  });
});

describe('a writer', () => {
  beforeAll(async () => {
    await database.query(`CREATE FUNCTION dsync.refuse_unannounced() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM pg_locks
          WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND objsubid = 2 AND granted
            AND classid = dsync.announcement_class(NEW.source_id)::oid
            AND objid::bigint < NEW.sequence)
        THEN RAISE 'event % was not announced', NEW.sequence; END IF;
        RETURN NEW;
      END $$`);
    await database.query(`CREATE TRIGGER refuse_unannounced BEFORE INSERT ON dsync.events
      FOR EACH ROW EXECUTE FUNCTION dsync.refuse_unannounced()`);
  });

  afterAll(() => database.query('DROP FUNCTION dsync.refuse_unannounced CASCADE'));

  it('announces itself before it draws a number, whatever it writes', async () => {
    const directory = await test.newDirectory();
    const done = async (method: string, path: string, body?: unknown): Promise<string> => {
      const { status, data } = await directory.send(method, path, body);
      expect([method, path, status < 300]).toEqual([method, path, true]);
      return data?.id as string;
    };
    const replace = (path: string, value: unknown) => patch({ op: 'replace', path, value });
    const members = (op: string, ...ids: string[]) =>
      patch({ op, path: 'members', value: ids.map((value) => ({ value })) });
    const ann = await done('POST', '/Users', user('ann'));
    const bob = await done('POST', '/Users', user('bob'));
    await done('PATCH', `/Users/${ann}`, replace('title', 'x'));
    await done('PUT', `/Users/${ann}`, user('ann'));
    const devs = await done('POST', '/Groups', group('devs', [bob]));
    await done('PATCH', `/Groups/${devs}`, members('add', ann));
    await done('PATCH', `/Users/${ann}`, replace('title', 'y'));
    await done('PATCH', `/Groups/${devs}`, members('remove', ann, bob));
    await done('PATCH', `/Groups/${devs}`, members('add', ann, bob));
    await done('PATCH', `/Groups/${devs}`, replace('displayName', 'ops'));
    await done('PUT', `/Groups/${devs}`, group('devs', [ann]));
    await done(
      'PATCH',
      `/Groups/${devs}`,
      patch({ op: 'remove', path: 'members[type eq "User"]' }),
    );
    await done('PATCH', `/Groups/${devs}`, members('add', ann));
    await done('DELETE', `/Users/${ann}`);
    await done('DELETE', `/Groups/${devs}`);
    expect((await test.eventsOf(directory)).map(({ event }) => event)).toEqual([
      'user.created',
      'user.created',
      'user.updated',
      'user.updated',
      'group.created',
      'group.user_added',
      'group.user_added',
      'user.updated',
      'group.user_removed',
      'group.user_removed',
      'group.user_added',
      'group.user_added',
      'group.updated',
      'group.updated',
      'group.user_removed',
      'group.user_removed',
      'group.user_added',
      'group.user_removed',
      'user.deleted',
      'group.deleted',
    ]);
  });
});

it('ends a page of large events early, however well they compress', async () => {
  const small = await openSync(database.url, { limits: { pageBytesMax: 50_000 } });
  try {
    const directory = await small.newDirectory();
    for (const name of ['a', 'b', 'c']) {
      await directory.send('POST', '/Users', user(name, { title: 'x'.repeat(20_000) }));
    }
    const userNames = (events: DirectoryEvent[]) =>
      events.map(({ data }) => (data.raw as { userName: string }).userName);
    const { data: first } = await small.sync.events.getAll({ directoryId: directory.id });
    expect(userNames(first ?? [])).toEqual(['a', 'b']);
    const after = first?.at(-1)?.id;
    const { data: rest } = await small.sync.events.getAll({ directoryId: directory.id, after });
    expect(userNames(rest ?? [])).toEqual(['c']);
  } finally {
    await small.close();
  }
});
