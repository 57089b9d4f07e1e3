import { eventually, type TestDatabase } from '@gatehouse/testing';
import { newUsers } from '../groups.js';
import {
  createSyncDatabase,
  filtered,
  group,
  type Json,
  openSync,
  patch,
  type TestSync,
  user,
} from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

const TOO_MANY = [400, 'tooMany'];
const NO_GROUPS = '&excludedAttributes=groups';

/** Inserts many users by SQL. */
async function fill(database: TestDatabase, directoryId: string, count: number): Promise<void> {
  await database.query(
    `INSERT INTO dsync.users
        (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
      SELECT $1, dsync.uuid_v7(), 'user-' || n, 'user-' || n, '{}', true,
        jsonb_build_object('userName', 'user-' || n, 'title', repeat('x', 500))
      FROM generate_series(1, $2::integer) n`,
    [directoryId, count],
  );
}

function anyOf(count: number, term: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => term(index)).join(' or ');
}

describe('the cost of a filter', () => {
  const search = async (filter: string) => {
    const { status, data } = await fixture.directory.send('POST', '/Users/.search', { filter });
    return [status, data.scimType, data.detail];
  };

  it('is limited, and the refusal names the most expensive term', async () => {
    const unknown = anyOf(250, (index) => `x${index}.y${index} co "z"`);
    expect(await search(unknown)).toEqual([...TOO_MANY, expect.stringContaining('"x0.y0 co"')]);
    const contains = anyOf(120, (index) => `title co "${index}"`);
    expect(await search(contains)).toEqual([...TOO_MANY, expect.stringContaining('"title co"')]);
  });

  it('lets 250 indexed terms pass', async () => {
    expect(await search(anyOf(250, (index) => `userName eq "${index}"`))).toMatchObject([200]);
  });

  it('is limited for conditions on members too', async () => {
    const [ann = ''] = await newUsers(fixture.directory, 'ann');
    const { data } = await fixture.directory.send('POST', '/Groups', group('devs', [ann]));
    const condition = anyOf(100, (index) => `display co "${index}"`);
    const operation = { op: 'remove', path: `members[${condition}]` };
    const answer = await fixture.directory.send('PATCH', `/Groups/${data.id}`, patch(operation));
    expect([answer.status, answer.data.scimType]).toEqual(TOO_MANY);
  });
});

describe('a search', () => {
  let database: TestDatabase;
  let test: TestSync;

  beforeAll(async () => {
    database = await createSyncDatabase();
  });
  afterEach(() => test.close());
  afterAll(() => database.drop());

  it('that takes too long is refused as too many, not as unavailable', async () => {
    test = await openSync(database.url, { limits: { searchTimeoutSeconds: 0.05 } });
    const directory = await test.newDirectory();
    await fill(database, directory.id, 20_000);
    const filter = anyOf(40, (index) => `title co "${index}"`);
    const { status, data } = await directory.send('GET', filtered('Users', filter));
    expect([status, data.scimType]).toEqual(TOO_MANY);
    expect(data.detail).toContain('0.05 s');
    expect((await directory.send('GET', filtered('Users', 'userName eq "user-7"'))).status).toBe(
      200,
    );
  });

  it.each(['/Users?count=1', filtered('Users', 'title co "x"')])(
    'that waits for a lock is refused as unavailable: %s',
    async (path) => {
      test = await openSync(database.url, { limits: { searchTimeoutSeconds: 0.5 } });
      const directory = await test.newDirectory();
      await database.query('BEGIN; LOCK TABLE dsync.users IN ACCESS EXCLUSIVE MODE');
      const refused = await directory.send('GET', path);
      await database.query('COMMIT');
      expect([refused.status, refused.headers['Retry-After']]).toEqual([503, '5']);
    },
  );

  it('is the third of a directory only when one of two has ended; others are not affected', async () => {
    test = await openSync(database.url, { limits: { searchTimeoutSeconds: 15 } });
    const directory = await test.newDirectory();
    const other = await test.newDirectory();
    const search = filtered('Groups', 'displayName co "x"');
    await database.query('BEGIN; LOCK TABLE dsync.groups IN ACCESS EXCLUSIVE MODE');
    const running = [directory.send('GET', search), directory.send('GET', search)];
    await eventually(async () => {
      const [row] = await database.query<{ count: string }>(
        `SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'dsync.groups'::regclass`,
      );
      expect(row?.count).toBe('2');
    });
    const refused = await directory.send('GET', search);
    expect([refused.status, refused.headers['Retry-After']]).toEqual([429, '1']);
    expect(refused.data.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    for (const each of [directory, other]) {
      expect((await each.send('GET', filtered('Users', 'title co "x"', NO_GROUPS))).status).toBe(
        each === directory ? 429 : 200,
      );
      expect((await each.send('POST', '/Users', user('ann'))).status).toBe(201);
      const lookup = filtered('Users', 'userName eq "ann"', NO_GROUPS);
      expect((await each.send('GET', lookup)).status).toBe(200);
    }
    const waiting = directory.send('GET', filtered('Users', 'title co "x"', NO_GROUPS));
    await database.query('COMMIT');
    for (const answer of await Promise.all([...running, waiting])) expect(answer.status).toBe(200);
  });
});

describe('a page', () => {
  let database: TestDatabase;
  let test: TestSync;

  beforeAll(async () => {
    database = await createSyncDatabase();
    test = await openSync(database.url, { limits: { pageBytesMax: 25_000 } });
  });
  afterAll(async () => {
    await test.close();
    await database.drop();
  });

  const titles = (data: Json): string[] => data.Resources.map(({ title }: Json) => title[0]);

  async function byCursor(send: TestDirectorySend, path: string): Promise<number[]> {
    const sizes: number[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { data }: Json = await send('GET', `${path}&cursor=${cursor}`);
      expect(data.itemsPerPage).toBe(data.Resources.length);
      sizes.push(data.itemsPerPage);
      cursor = data.nextCursor;
    }
    return sizes;
  }
  type TestDirectorySend = Awaited<ReturnType<TestSync['newDirectory']>>['send'];

  it('of large users ends early by index and by cursor, with correct totals', async () => {
    const { send } = await test.newDirectory();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const body = user(name, { title: name.repeat(10_000), externalId: 'same' });
      expect((await send('POST', '/Users', body)).status).toBe(201);
    }
    const seen: string[] = [];
    for (const startIndex of [1, 3, 5]) {
      const { data } = await send('GET', `/Users?startIndex=${startIndex}`);
      expect(data).toMatchObject({ totalResults: 5, itemsPerPage: data.Resources.length });
      seen.push(...titles(data));
    }
    expect(seen.join('')).toBe('abcde');
    for (const query of [
      '?x',
      '?sortBy=userName',
      `?filter=title%20pr`,
      '?filter=active%20eq%20true',
    ]) {
      expect(await byCursor(send, `/Users${query}`)).toEqual([2, 2, 1]);
    }
    const { data } = await send('GET', filtered('Users', 'externalId eq "same"'));
    expect(data).toMatchObject({ totalResults: 5, itemsPerPage: 2 });
  });

  it('has at least one resource, however large', async () => {
    const { send } = await test.newDirectory();
    for (const name of ['a', 'b']) {
      await send('POST', '/Users', user(name, { title: name.repeat(30_000) }));
    }
    expect(await byCursor(send, '/Users?x')).toEqual([1, 1]);
  });

  it('counts the members of groups and the groups of users, if it shows them', async () => {
    const directory = await test.newDirectory();
    const ids = await newUsers(directory, ...Array.from({ length: 60 }, (_, n) => `user-${n}`));
    for (const name of ['a', 'b', 'c']) await directory.send('POST', '/Groups', group(name, ids));
    expect(await byCursor(directory.send, '/Groups?x')).toEqual([2, 1]);
    expect(await byCursor(directory.send, '/Groups?excludedAttributes=members')).toEqual([3]);
    const long = Array.from({ length: 30 }, (_, n) => `${n}-`.repeat(100));
    for (const name of long) await directory.send('POST', '/Groups', group(name, ids.slice(0, 3)));
    const filter = filtered('Users', 'userName sw "user-" and groups.display sw "0-"');
    expect(await byCursor(directory.send, filter)).toEqual([2, 1]);
    expect(await byCursor(directory.send, `${filter}&attributes=userName`)).toEqual([3]);
  });
});

it('413: the operations of a bulk request share one budget', async () => {
  const { send } = fixture.directory;
  const { data } = await send('POST', '/Users', user('ann', { note: 'x'.repeat(1_900_000) }));
  const change = (n: number) => ({
    method: 'PATCH',
    path: `/Users/${data.id}`,
    data: patch({ op: 'replace', path: 'title', value: `t${n}` }),
  });
  const answer = await send('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: Array.from({ length: 20 }, (_, n) => change(n)),
  });
  const statuses = answer.data.Operations.map(({ status }: Json) => status);
  expect(statuses).toEqual([...Array<string>(4).fill('200'), ...Array<string>(16).fill('413')]);
});
