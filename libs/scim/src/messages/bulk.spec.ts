import { ScimError, uniquenessError } from '../errors/scim-error.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { PATCH_OP_SCHEMA } from '../patch/patch-request.js';
import { executeBulk } from './bulk-execution.js';
import { type BulkOperation, BULK_REQUEST_SCHEMA, parseBulkRequest } from './bulk-request.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const baseUrl = 'https://scim.example/d';

/** A store that gives ids in the order of the calls, and refuses names that it has. */
class FakeDirectory {
  readonly calls: BulkOperation[] = [];
  private readonly names = new Set<JsonValue | undefined>();

  execute = (operation: BulkOperation) => {
    this.calls.push(operation);
    const { method, resourceType, data } = operation;
    if (method !== 'POST') {
      if (operation.id === 'gone') {
        return Promise.reject(new ScimError(404, undefined, 'Not found.'));
      }
      return Promise.resolve({ status: method === 'DELETE' ? 204 : 200, version: 'W/"2"' });
    }
    const name = (data as JsonObject).userName ?? (data as JsonObject).displayName;
    if (this.names.has(name)) {
      return Promise.reject(uniquenessError('userName is taken.'));
    }
    this.names.add(name);
    const id = `id-${this.names.size}`;
    const location = `${baseUrl}/${resourceType}s/${id}`;
    return Promise.resolve({ status: 201, id, location, version: 'W/"1"' });
  };
}

async function run(operations: JsonValue[], failOnErrors?: number) {
  const body = {
    schemas: [BULK_REQUEST_SCHEMA],
    Operations: operations,
    ...(failOnErrors === undefined ? {} : { failOnErrors }),
  };
  const directory = new FakeDirectory();
  const plan = parseBulkRequest(body, { operationsMax: 1000 });
  const answer = await executeBulk(plan, directory.execute, { baseUrl });
  return { calls: directory.calls, results: answer.Operations as JsonObject[] };
}

function postUser(bulkId: string, data: JsonObject = {}): JsonObject {
  return { method: 'POST', path: '/Users', bulkId, data: { userName: bulkId, ...data } };
}

function postGroup(bulkId: string, ...members: JsonValue[]): JsonObject {
  return { method: 'POST', path: '/Groups', bulkId, data: { displayName: bulkId, members } };
}

const statuses = (results: JsonObject[]) => results.map(({ status }) => status);

describe('executeBulk', () => {
  it('answers each operation in the order of the request', async () => {
    const { results } = await run([
      postUser('u1'),
      { method: 'put', path: '//users/7/', data: { userName: 'x' }, version: 'W/"1"' },
      { method: 'PATCH', path: 'Users/7', data: { Operations: [] } },
      { method: 'DELETE', path: '/Groups/8', bulkId: 'd' },
    ]);
    expect(results).toEqual([
      {
        method: 'POST',
        bulkId: 'u1',
        version: 'W/"1"',
        location: `${baseUrl}/Users/id-1`,
        status: '201',
      },
      { method: 'put', version: 'W/"2"', location: `${baseUrl}/Users/7`, status: '200' },
      { method: 'PATCH', version: 'W/"2"', location: `${baseUrl}/Users/7`, status: '200' },
      {
        method: 'DELETE',
        bulkId: 'd',
        version: 'W/"2"',
        location: `${baseUrl}/Groups/8`,
        status: '204',
      },
    ]);
  });

  it('uses version as If-Match', async () => {
    const { calls } = await run([{ method: 'DELETE', path: '/Users/7', version: 'W/"9"' }]);
    expect(calls[0]).toMatchObject({ method: 'DELETE', id: '7', ifMatch: 'W/"9"' });
  });

  it('resolves references anywhere and in any order', async () => {
    const { calls, results } = await run([
      postGroup('g', { value: 'bulkId:u', type: 'User' }),
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g',
        data: { Operations: [{ op: 'remove', path: 'members[value eq "bulkId:u"]' }] },
      },
      postUser('u', { manager: { value: 'bulkId:boss', $ref: '../Users/bulkId:boss' } }),
      postUser('boss'),
    ]);
    expect(statuses(results)).toEqual(['201', '200', '201', '201']);
    expect(calls.map(({ index }) => index)).toEqual([3, 2, 0, 1]);
    expect(calls[1]!.data).toMatchObject({ manager: { value: 'id-1', $ref: '../Users/id-1' } });
    expect(calls[2]!.data).toMatchObject({ members: [{ value: 'id-2' }] });
    expect(calls[3]).toMatchObject({
      id: 'id-3',
      data: { Operations: [{ path: 'members[value eq "id-2"]' }] },
    });
  });

  it('gives no location to a resource that was not created', async () => {
    const { results } = await run([
      { method: 'PATCH', path: '/Users/bulkId:absent', data: { Operations: [] } },
    ]);
    expect(results[0]).toMatchObject({ status: '400' });
    expect(results[0]).not.toHaveProperty('location');
  });

  it('keeps text that only looks like a reference', async () => {
    const { calls } = await run([postUser('u', { title: 'my bulkId:u' }), postUser('v')]);
    expect(calls[0]!.data).toMatchObject({ title: 'my bulkId:u' });
  });

  it('creates groups that contain each other and links them', async () => {
    const { calls, results } = await run([
      postGroup('a', { value: 'bulkId:b' }, { value: 'bulkId:u' }),
      postGroup('b', 'bulkId:a'),
      postUser('u'),
    ]);
    expect(statuses(results)).toEqual(['201', '201', '201']);
    expect(results[0]).toMatchObject({ version: 'W/"2"' });
    const [, group, , link] = calls;
    expect(group!.data).toEqual({ displayName: 'a', members: [{ value: 'id-1' }] });
    expect(link).toMatchObject({
      method: 'PATCH',
      id: 'id-2',
      data: { Operations: [{ op: 'add', path: 'members', value: [{ value: 'id-3' }] }] },
    });
  });

  it('creates users that manage each other and links them', async () => {
    const manager = (bulkId: string) => ({
      [ENTERPRISE]: { department: 'D', manager: { value: `bulkId:${bulkId}` } },
    });
    const { calls, results } = await run([
      postUser('a', manager('b')),
      postUser('b', manager('a')),
    ]);
    expect(statuses(results)).toEqual(['201', '201']);
    expect(results[0]).toMatchObject({ version: 'W/"2"', location: `${baseUrl}/Users/id-1` });
    expect(calls.map(({ method, id, data }) => ({ method, id, data }))).toEqual([
      { method: 'POST', data: { userName: 'a', [ENTERPRISE]: { department: 'D' } } },
      {
        method: 'POST',
        data: { userName: 'b', [ENTERPRISE]: { department: 'D', manager: { value: 'id-1' } } },
      },
      {
        method: 'PATCH',
        id: 'id-1',
        data: {
          schemas: [PATCH_OP_SCHEMA],
          Operations: [{ op: 'add', path: ENTERPRISE, value: { manager: { value: 'id-2' } } }],
        },
      },
    ]);
  });

  it.each<[string, JsonObject[]]>([
    ['a user that manages itself', [postUser('a', { manager: 'bulkId:a' })]],
    [
      'a circle of three, and who waits for it',
      [
        postUser('d', { manager: { value: 'bulkId:a' } }),
        postUser('a', { manager: { value: 'bulkId:b' } }),
        postUser('b', { [`${ENTERPRISE}:manager`]: { value: 'bulkId:c' } }),
        postUser('c', { manager: 'bulkId:a' }),
      ],
    ],
    [
      'groups and users',
      [
        postGroup('g', { value: 'bulkId:a' }, { value: 'bulkId:h' }),
        postGroup('h', 'bulkId:g'),
        postUser('a', { badge: { group: 'bulkId:g' }, manager: { value: 'bulkId:a' } }),
      ],
    ],
  ])('resolves a circle of %s', async (_name, operations) => {
    const { calls, results } = await run(operations);
    expect(new Set(statuses(results))).toEqual(new Set(['201']));
    expect(JSON.stringify(calls)).not.toContain('bulkId:');
  });

  it('undoes a resource of a circle whose reference cannot be completed', async () => {
    const { calls, results } = await run([
      postUser('taken'),
      postUser('a', { manager: 'bulkId:b' }),
      postUser('b', { userName: 'taken', manager: 'bulkId:a' }),
    ]);
    expect(statuses(results)).toEqual(['201', '400', '409']);
    expect(results[1]).toMatchObject({ response: { scimType: 'invalidValue' } });
    expect(results[1]).not.toHaveProperty('location');
    expect(results[1]).not.toHaveProperty('version');
    expect(calls.map(({ method, id }) => [method, id])).toEqual([
      ['POST', undefined],
      ['POST', undefined],
      ['POST', undefined],
      ['DELETE', 'id-2'],
    ]);
  });

  it('undoes what refers to an undone resource', async () => {
    const { calls, results } = await run([
      postGroup('taken'),
      postGroup('a', 'bulkId:b', 'bulkId:c'),
      postGroup('b', 'bulkId:a'),
      { ...postGroup('c', 'bulkId:b'), data: { displayName: 'taken', members: ['bulkId:b'] } },
      postUser('u'),
    ]);
    expect(statuses(results)).toEqual(['201', '400', '400', '409', '201']);
    const deleted = calls.filter(({ method }) => method === 'DELETE').map(({ id }) => id);
    expect(deleted).toEqual(['id-3', 'id-4']);
    expect(results.filter((each) => 'location' in each)).toHaveLength(2);
  });

  it('undoes an open circle when failOnErrors ends the request', async () => {
    const operations = [
      postUser('taken'),
      postUser('a', { manager: 'bulkId:b' }),
      postUser('b', { manager: 'bulkId:c' }),
      postUser('c', { userName: 'taken', manager: 'bulkId:a' }),
    ];
    const { calls, results } = await run(operations, 1);
    expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
      ['taken', '201'],
      ['a', '400'],
      ['c', '409'],
    ]);
    expect(results[1]).not.toHaveProperty('location');
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', resourceType: 'User', id: 'id-2' });
  });

  it('answers 409 to an unresolvable cycle and runs the other operations', async () => {
    const { results } = await run([
      postUser('a', { userName: 'bulkId:b' }),
      postUser('b', { userName: 'bulkId:a' }),
      postUser('c'),
    ]);
    expect(statuses(results)).toEqual(['409', '400', '201']);
  });

  it('fails operations that refer to nothing or to a failed operation', async () => {
    const { results, calls } = await run([
      postGroup('g', 'bulkId:missing'),
      postUser('u'),
      { ...postUser('v'), data: { userName: 'u' } },
      postGroup('h', 'bulkId:v'),
    ]);
    expect(statuses(results)).toEqual(['400', '201', '409', '400']);
    expect(results[0]).toMatchObject({ response: { scimType: 'invalidValue', status: '400' } });
    expect(results[2]).not.toHaveProperty('location');
    expect(calls).toHaveLength(2);
  });

  it('runs all operations without failOnErrors and stops with it', async () => {
    const operations = [
      { method: 'DELETE', path: '/Users/gone' },
      { method: 'DELETE', path: '/Users/gone' },
      postUser('u'),
    ];
    expect(statuses((await run(operations)).results)).toEqual(['404', '404', '201']);
    expect(statuses((await run(operations, 2)).results)).toEqual(['404', '404']);
    const { results, calls } = await run(operations, 1);
    expect(results).toEqual([
      {
        method: 'DELETE',
        location: `${baseUrl}/Users/gone`,
        status: '404',
        response: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: '404',
          detail: 'Not found.',
        },
      },
    ]);
    expect(calls).toHaveLength(1);
  });

  it.each<[string, JsonValue]>([
    ['no object', 'x'],
    ['an unknown method', { method: 'GET', path: '/Users/1' }],
    ['no method', { path: '/Users/1' }],
    ['POST without bulkId', { method: 'POST', path: '/Users', data: {} }],
    ['POST to a resource', { method: 'POST', path: '/Users/1', bulkId: 'x', data: {} }],
    ['DELETE of an endpoint', { method: 'DELETE', path: '/Users' }],
    ['an unknown endpoint', { method: 'DELETE', path: '/Gadgets/1' }],
    ['a path too deep', { method: 'DELETE', path: '/Users/1/2' }],
    ['a path that is no text', { method: 'DELETE', path: 5 }],
    ['no data', { method: 'PUT', path: '/Users/1' }],
    ['a strange bulkId', { method: 'POST', path: '/Users', bulkId: 'a b', data: {} }],
  ])('answers 400 to %s and continues', async (_name, operation) => {
    const { results } = await run([operation, postUser('u')]);
    expect(statuses(results)).toEqual(['400', '201']);
  });

  it('answers 400 to deeply nested data', async () => {
    const data = JSON.parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`) as JsonObject;
    expect(statuses((await run([postUser('u', data)])).results)).toEqual(['400']);
  });

  it('accepts a bulkId for one resource only', async () => {
    expect(statuses((await run([postUser('u'), postUser('u')])).results)).toEqual(['201', '400']);
  });

  it('ends with an error that the client did not cause', async () => {
    const plan = parseBulkRequest({ Operations: [postUser('u')] }, { operationsMax: 1 });
    const failing = () => Promise.reject(new Error('database gone'));
    await expect(executeBulk(plan, failing, { baseUrl })).rejects.toThrow('database gone');
  });

  it('executes a long chain of references in linear time', async () => {
    const chain = Array.from({ length: 1_000 }, (_item, index) =>
      postUser(`u${index}`, index === 999 ? {} : { manager: { value: `bulkId:u${index + 1}` } }),
    );
    const start = performance.now();
    const { results } = await run(chain);
    expect(new Set(statuses(results))).toEqual(new Set(['201']));
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

describe('parseBulkRequest', () => {
  it.each([0, null])('takes failOnErrors %j as no limit', (failOnErrors) => {
    const plan = parseBulkRequest(
      { failOnErrors, Operations: [postUser('u')] },
      { operationsMax: 1 },
    );
    expect(plan).not.toHaveProperty('failOnErrors');
  });

  it.each<[unknown, number]>([
    [[], 400],
    [{}, 400],
    [{ Operations: [] }, 400],
    [{ Operations: {} }, 400],
    [{ schemas: ['urn:x'], Operations: [postUser('u')] }, 400],
    [{ failOnErrors: -1, Operations: [postUser('u')] }, 400],
    [{ failOnErrors: 1.5, Operations: [postUser('u')] }, 400],
    [{ failOnErrors: '1', Operations: [postUser('u')] }, 400],
    [{ Operations: Array(4).fill(postUser('u')) }, 413],
  ])('refuses %j', (body, status) => {
    expect(() => parseBulkRequest(body, { operationsMax: 3 })).toThrow(
      expect.objectContaining({ status }),
    );
  });
});
