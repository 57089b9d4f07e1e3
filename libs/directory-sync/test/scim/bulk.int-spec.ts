import { groupEvents, newUsers } from '../groups.js';
import { ENTERPRISE, GROUP_SCHEMA, type Json, user } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

describe('bulk', () => {
  const bulk = (operations: object[], more: object = {}) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: operations,
    ...more,
  });

  it('creates users and the group that references them, in any order', async () => {
    const { status, data } = await fixture.directory.send(
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
    expect(await groupEvents(fixture.test, fixture.directory)).toEqual([
      'group.created devs',
      'group.user_added ann devs',
    ]);
  });

  it('creates users that manage each other', async () => {
    const manager = (bulkId: string) => ({
      [ENTERPRISE]: { department: 'D', manager: { value: `bulkId:${bulkId}` } },
    });
    const post = (bulkId: string, other: string) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: user(bulkId, manager(other)),
    });
    const operations = bulk([post('ann', 'bob'), post('bob', 'cyd'), post('cyd', 'ann')]);
    const { data } = await fixture.directory.send('POST', '/Bulk', operations);
    expect(data.Operations.map((each: Json) => each.status)).toEqual(['201', '201', '201']);
    const [ann, bob, cyd] = data.Operations.map(({ location }: Json) => location.split('/').pop());
    const managers = [ann, bob, cyd].map(async (id) => {
      const answer = await fixture.directory.send('GET', `/Users/${id}`);
      return answer.data[ENTERPRISE];
    });
    expect(await Promise.all(managers)).toEqual(
      [bob, cyd, ann].map((value) => ({ department: 'D', manager: { value } })),
    );
  });

  it('stores nothing of a circle that cannot be closed', async () => {
    await newUsers(fixture.directory, 'taken');
    const post = (bulkId: string, userName: string, manager: string) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: user(userName, { [ENTERPRISE]: { manager: { value: `bulkId:${manager}` } } }),
    });
    const circle = [post('a', 'ann', 'b'), post('b', 'bob', 'c'), post('c', 'taken', 'a')];
    const operations = bulk(circle, { failOnErrors: 1 });
    const { data } = await fixture.directory.send('POST', '/Bulk', operations);
    expect(data.Operations.map((each: Json) => each.status)).toEqual(['400', '409']);
    expect(data.Operations[0]).not.toHaveProperty('location');
    const left = await fixture.directory.send('GET', '/Users');
    expect(left.data.Resources.map((each: Json) => each.userName)).toEqual(['taken']);
  });

  it('stops at failOnErrors: operations before it stay, later ones do not start', async () => {
    await newUsers(fixture.directory, 'taken');
    const { data } = await fixture.directory.send(
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
    const { data: list } = await fixture.directory.send('GET', '/Users');
    expect(list.Resources.map(({ userName }: Json) => userName)).toEqual(['taken', 'first']);
  });

  it('413: refuses 1001 operations, or a body over its limit, without starting any', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `${index}`,
      data: user(`${index}`),
    }));
    expect((await fixture.directory.send('POST', '/Bulk', bulk(many))).status).toBe(413);
    const large = await fixture.directory.send('POST', '/Bulk', bulk(many.slice(0, 1)), {
      bodyBytes: 1024 * 1024 + 1,
    });
    expect(large.status).toBe(413);
    expect(await fixture.test.eventsOf(fixture.directory)).toEqual([]);
  });
});
