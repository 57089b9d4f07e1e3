import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import {
  filtered,
  group,
  GROUP_SCHEMA,
  type Json,
  openSync,
  patch,
  type TestDirectory,
  type TestSync,
  user,
} from '../../test/harness.js';
import { CHANGE_MEMBERS } from '../groups/group.repository.js';

let database: TestDatabase;
let test: TestSync;
let directory: TestDirectory;

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openSync(database.url);
});

beforeEach(async () => {
  directory = await test.newDirectory();
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

async function users(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await directory.send('POST', '/Users', user(name))).data.id as string);
  }
  return ids;
}

async function newGroup(displayName: string, memberIds: string[] = []): Promise<string> {
  const { status, data } = await directory.send('POST', '/Groups', group(displayName, memberIds));
  expect(status).toBe(201);
  return data.id as string;
}

async function change(id: string, ...operations: object[]): Promise<Json> {
  const { status, data } = await directory.send('PATCH', `/Groups/${id}`, patch(...operations));
  expect(status).toBe(200);
  return data;
}

const idsOf = ({ members }: Json): string[] => members.map(({ value }: Json) => value as string);

async function membersOf(id: string): Promise<string[]> {
  return idsOf((await directory.send('GET', `/Groups/${id}`)).data);
}

/** What of the log concerns groups, in short. */
async function groupEvents(): Promise<string[]> {
  return (await test.eventsOf(directory))
    .filter(({ event }) => event.startsWith('group.'))
    .map(({ event, data }: Json) => {
      const subject = event.startsWith('group.user_')
        ? `${data.raw.userName} ${data.group.name}`
        : data.name;
      return `${event} ${subject}`;
    });
}

/** Fills a group by SQL: many users would take long one by one. */
async function fill(groupId: string, count: number): Promise<void> {
  await database.query(
    `WITH made AS (
        INSERT INTO dsync.users
          (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
        SELECT $1, dsync.uuid_v7(), 'filler-' || n, 'filler-' || n, '{}', true,
          jsonb_build_object('userName', 'filler-' || n)
        FROM generate_series(1, $3::integer) n RETURNING id),
      joined AS (
        INSERT INTO dsync.group_members (directory_id, group_id, user_id)
        SELECT $1, $2, id FROM made)
      UPDATE dsync.groups SET member_count = member_count + $3::integer WHERE id = $2`,
    [directory.id, groupId, count],
  );
  await database.query('ANALYZE dsync.group_members');
}

/** A plan and every plan below it. */
/** Groups of three members each, among the users that are there. */
async function fillSmallGroups(count: number): Promise<void> {
  await database.query(
    `WITH made AS (
        INSERT INTO dsync.groups
          (directory_id, id, display_name, display_name_lower, member_count, raw)
        SELECT $1, dsync.uuid_v7(), 'small ' || n, 'small ' || n, 3, '{}'
        FROM generate_series(1, $2::integer) n RETURNING id)
      INSERT INTO dsync.group_members (directory_id, group_id, user_id)
      SELECT $1, made.id, u.id
      FROM made, (SELECT id FROM dsync.users WHERE directory_id = $1 LIMIT 3) u`,
    [directory.id, count],
  );
}

/** The most rows of group_members that one scan of a member change reads. */
async function membersRead(planMode: string, values: string): Promise<number> {
  await database.query(`BEGIN; SET LOCAL plan_cache_mode = ${planMode}`);
  await database.query(`PREPARE change_group AS ${CHANGE_MEMBERS.text}`);
  const [row] = await database.query<{ 'QUERY PLAN': Json }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE change_group(${values})`,
  );
  await database.query('DEALLOCATE change_group; ROLLBACK');
  const scans = nodesOf(row?.['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'group_members' && /Scan/.test(node['Node Type']),
  );
  expect(scans.length).toBeGreaterThan(0);
  return Math.max(
    ...scans.map(
      (node) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ),
  );
}

function nodesOf(plan: Json): Json[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('members', () => {
  it('come from POST, PUT and PATCH in all the shapes that providers send', async () => {
    const [a = '', b = '', c = ''] = await users('a', 'b', 'c');
    const id = await newGroup('devs', [a]);
    expect(await membersOf(id)).toEqual([a]);

    await directory.send('PUT', `/Groups/${id}`, group('devs', [b, c]));
    expect(await membersOf(id)).toEqual([b, c]);
    expect(idsOf(await change(id, { op: 'Add', path: 'members', value: [{ value: a }] }))).toEqual([
      a,
      b,
      c,
    ]);
    expect(
      idsOf(await change(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] })),
    ).toEqual([b, c]);
    expect(idsOf(await change(id, { op: 'remove', path: `members[value eq "${b}"]` }))).toEqual([
      c,
    ]);
    expect(
      idsOf(await change(id, { op: 'replace', path: 'members', value: [{ value: a }] })),
    ).toEqual([a]);
    expect(idsOf(await change(id, { op: 'add', value: { members: [{ value: b }] } }))).toEqual([
      a,
      b,
    ]);
    expect(idsOf(await change(id, { op: 'remove', path: 'members' }))).toEqual([]);
  });

  it('are shown with address, type and name, and on the user as its groups', async () => {
    const [a = ''] = await users('ann');
    const child = await newGroup('child', [a]);
    const parent = await newGroup('parent', [child, a]);
    const { data } = await directory.send('GET', `/Groups/${parent}`);
    const base = directory.scim.endpoint;
    expect(data.members).toEqual([
      { value: a, $ref: `${base}/Users/${a}`, type: 'User', display: 'ann' },
      { value: child, $ref: `${base}/Groups/${child}`, type: 'Group', display: 'child' },
    ]);
    const ann = await directory.send('GET', `/Users/${a}`);
    expect(ann.data.groups.map(({ display, type }: Json) => [display, type])).toEqual([
      ['child', 'direct'],
      ['parent', 'direct'],
    ]);
    const children = await directory.send('GET', filtered('Groups', 'members.type eq "Group"'));
    expect(children.data.Resources.map(({ displayName }: Json) => displayName)).toEqual(['parent']);
  });

  it('that nobody knows are ignored and counted, those of a sibling too', async () => {
    const sibling = await test.newDirectory({ tenant: directory.tenant });
    const foreign = (await sibling.send('POST', '/Users', user('foreign'))).data.id as string;
    const id = await newGroup('devs', [foreign, 'nobody', crypto.randomUUID()]);
    expect(await membersOf(id)).toEqual([]);
    await change(id, { op: 'add', path: 'members', value: [{ value: foreign }] });
    const status = await test.sync.directories.status(directory.id);
    expect(status.data?.ignored_members).toBe(4);
  });

  it('removed by a condition are those that meet it when its turn comes', async () => {
    const [a = '', b = ''] = await users('a', 'b');
    const child = await newGroup('child');
    const id = await newGroup('parent', [a, child]);
    const after = await change(
      id,
      { op: 'remove', path: 'members[type eq "User"]' },
      { op: 'add', path: 'members', value: [{ value: b }] },
    );
    expect(idsOf(after).sort()).toEqual([b, child].sort());
  });

  it('added by two hundred requests at once are all there, and counted', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    const ids = await users(...names);
    const id = await newGroup('devs');
    const add = (value: string) => patch({ op: 'add', path: 'members', value: [{ value }] });
    const answers = await Promise.all(
      [...ids, ...ids, ...ids, ...ids].map((each) =>
        directory.send('PATCH', `/Groups/${id}`, add(each)),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await membersOf(id)).sort()).toEqual([...ids].sort());
    const rows = await database.query('SELECT member_count FROM dsync.groups WHERE id = $1', [id]);
    expect(rows[0]?.member_count).toBe(50);
    const added = (await groupEvents()).filter((event) => event.startsWith('group.user_added'));
    expect(added).toHaveLength(50);
  });
});

describe('events of groups', () => {
  it('hold no members; a change of members makes no group.updated', async () => {
    const [a = ''] = await users('a');
    const id = await newGroup('devs', [a]);
    await change(id, { op: 'remove', path: `members[value eq "${a}"]` });
    await change(id, { op: 'replace', value: { id, displayName: 'developers' } });
    await change(id, { op: 'replace', value: { id, displayName: 'developers' } });
    expect(await groupEvents()).toEqual([
      'group.created devs',
      'group.user_added a devs',
      'group.user_removed a devs',
      'group.updated developers',
    ]);
    const events: Json[] = await test.eventsOf(directory);
    const updated = events.find(({ event }) => event === 'group.updated');
    expect(updated.previous).toMatchObject({ name: 'devs', raw: { displayName: 'devs', id } });
    expect(events.every(({ data }) => !('members' in data.raw))).toBe(true);
  });

  it('of memberships come before the end of the user or the group', async () => {
    const [a = '', b = ''] = await users('a', 'b');
    const devs = await newGroup('devs', [a, b]);
    await newGroup('ops', [a]);
    await directory.send('DELETE', `/Users/${a}`);
    await directory.send('DELETE', `/Groups/${devs}`);
    const log = (await test.eventsOf(directory)).slice(-6).map(({ event }) => event);
    expect(log).toEqual([
      'group.user_added',
      'group.user_removed',
      'group.user_removed',
      'user.deleted',
      'group.user_removed',
      'group.deleted',
    ]);
    expect(await database.query('SELECT FROM dsync.group_members WHERE user_id = $1', [a])).toEqual(
      [],
    );
  });

  it('are given to the callback, and are the same rows as the log', async () => {
    const [a = ''] = await users('a');
    const seen: unknown[] = [];
    const callback = (event: unknown) => seen.push(event);
    const created = await directory.send('POST', '/Groups', group('devs', [a]), { callback });
    await directory.send('DELETE', `/Groups/${created.data.id}`, undefined, { callback });
    const log = (await test.eventsOf(directory)).slice(1);
    expect(seen).toMatchObject(
      log.map(({ id, sequence, event, data, created_at }) => ({
        id,
        sequence,
        event,
        data,
        created_at,
      })),
    );
    expect(seen).toHaveLength(4);
  });
});

describe('a group of many members', () => {
  it.each(['force_generic_plan', 'force_custom_plan'])(
    'is changed by key: no plan reads its members (%s)',
    async (planMode) => {
      const [a = '', b = ''] = await users('a', 'b');
      const id = await newGroup('all', [b]);
      await fill(id, 20_000);
      const values = `'${directory.id}', NULL, '${id}', false, '{${a}}', NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, '{${b}}'`;
      expect(await membersRead(planMode, values)).toBeLessThanOrEqual(2);
    },
  );

  it('is changed by key beside many small groups, which make the planner expect few members', async () => {
    const [a = '', b = ''] = await users('a', 'b');
    const id = await newGroup('all', [b]);
    await fill(id, 20_000);
    await fillSmallGroups(3_000);
    await database.query('ANALYZE dsync.users, dsync.groups, dsync.group_members');
    for (const planMode of ['force_generic_plan', 'force_custom_plan']) {
      for (const removed of ['{}', `{${b}}`]) {
        const values = `'${directory.id}', NULL, '${id}', false, '{${a}}', NULL, NULL, NULL,
          NULL, NULL, NULL, NULL, '${removed}'`;
        expect(await membersRead(planMode, values)).toBeLessThanOrEqual(2);
      }
    }
  });

  it('takes and loses one with an answer that does not list the rest', async () => {
    const [a = ''] = await users('a');
    const id = await newGroup('all');
    await fill(id, 1_500);
    for (const operation of [
      { op: 'add', path: 'members', value: [{ value: a }] },
      { op: 'remove', path: `members[value eq "${a}"]` },
    ]) {
      const answer = await directory.send('PATCH', `/Groups/${id}`, patch(operation));
      expect(answer).toMatchObject({ status: 204, data: null });
    }
    expect((await groupEvents()).slice(-2)).toEqual([
      'group.user_added a all',
      'group.user_removed a all',
    ]);
  });

  it('shows them when asked, and leaves them unread when excluded', async () => {
    const id = await newGroup('all');
    await fill(id, 1_500);
    expect(await membersOf(id)).toHaveLength(1_500);
    const { data } = await directory.send('GET', `/Groups/${id}?excludedAttributes=members`);
    expect(data.members).toBeUndefined();
    const shown = await directory.send(
      'PATCH',
      `/Groups/${id}?attributes=displayName`,
      patch({ op: 'remove', path: 'members[value eq "nobody"]' }),
    );
    expect(shown).toMatchObject({ status: 200, data: { displayName: 'all' } });
  });

  it('is deleted with an event for each, members first', async () => {
    const id = await newGroup('all');
    await fill(id, 5_100);
    expect((await directory.send('DELETE', `/Groups/${id}`)).status).toBe(204);
    const rows = await database.query<{ type: string; count: string }>(
      `SELECT type, count(*) AS count FROM dsync.events WHERE directory_id = $1
        GROUP BY type ORDER BY max(sequence)`,
      [directory.id],
    );
    expect(rows).toEqual([
      { type: 'group.created', count: '1' },
      { type: 'group.user_removed', count: '5100' },
      { type: 'group.deleted', count: '1' },
    ]);
  });
});

describe('names of groups', () => {
  it('may repeat, except in a directory of Entra ID, where letter case does not count', async () => {
    await newGroup('devs');
    await newGroup('devs');
    const entra = await test.newDirectory({ type: 'azure-scim-v2' });
    await entra.send('POST', '/Groups', group('devs'));
    const second = await entra.send('POST', '/Groups', group('Devs'));
    expect(second).toMatchObject({ status: 409, data: { scimType: 'uniqueness' } });
    const third = await entra.send('POST', '/Groups', group('ops'));
    const renamed = await entra.send('PUT', `/Groups/${third.data.id}`, group('DEVS'));
    expect(renamed.status).toBe(409);
  });

  it('are found by the new one after a rename, and the old one is free', async () => {
    const entra = await test.newDirectory({ type: 'azure-scim-v2' });
    const { data } = await entra.send('POST', '/Groups', group('old'));
    await entra.send(
      'PATCH',
      `/Groups/${data.id}`,
      patch({ op: 'Replace', path: 'displayName', value: 'new' }),
    );
    const total = async (name: string) =>
      (await entra.send('GET', filtered('Groups', `displayName eq "${name}"`))).data.totalResults;
    expect([await total('new'), await total('old')]).toEqual([1, 0]);
    expect((await entra.send('POST', '/Groups', group('old'))).status).toBe(201);
  });
});

describe('bulk', () => {
  const bulk = (operations: object[], more: object = {}) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: operations,
    ...more,
  });

  it('makes users and the group that refers to them, whatever their order', async () => {
    const { status, data } = await directory.send(
      'POST',
      '/Bulk',
      bulk([
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'g',
          data: { schemas: [GROUP_SCHEMA], displayName: 'devs', members: [{ value: 'bulkId:u' }] },
        },
        { method: 'POST', path: '/Users', bulkId: 'u', data: user('ann') },
      ]),
    );
    expect(status).toBe(200);
    expect(data.Operations.map((each: Json) => each.status)).toEqual(['201', '201']);
    expect(await groupEvents()).toEqual(['group.created devs', 'group.user_added ann devs']);
  });

  it('stops at failOnErrors with what came before left done and nothing after begun', async () => {
    await users('taken');
    const { data } = await directory.send(
      'POST',
      '/Bulk',
      bulk(
        ['first', 'taken', 'never'].map((name) => ({
          method: 'POST',
          path: '/Users',
          bulkId: name,
          data: user(name),
        })),
        { failOnErrors: 1 },
      ),
    );
    expect(data.Operations.map((each: Json) => each.status)).toEqual(['201', '409']);
    const { data: list } = await directory.send('GET', '/Users');
    expect(list.Resources.map(({ userName }: Json) => userName)).toEqual(['taken', 'first']);
  });

  it('413: refuses 1001 operations, or a body over its limit, and begins none', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `${index}`,
      data: user(`${index}`),
    }));
    expect((await directory.send('POST', '/Bulk', bulk(many))).status).toBe(413);
    const large = await directory.send('POST', '/Bulk', bulk(many.slice(0, 1)), {
      bodyBytes: 1024 * 1024 + 1,
    });
    expect(large.status).toBe(413);
    expect(await test.eventsOf(directory)).toEqual([]);
  });
});
