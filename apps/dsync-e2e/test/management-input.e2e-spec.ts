// The bodies of management operations are read as /openapi.json describes them.
import { randomUUID } from 'node:crypto';
import { type Json, type TestStack } from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

const PREFIX = '/api/v1/dsync';

interface Operation {
  method: string;
  path: string;
  isRequired: boolean;
  properties: Record<string, Json>;
}

let stack: TestStack;
let api: Service;
let operations: Operation[];

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
  const { id: directoryId, scim } = await newDirectory(api, { webhook_url: 'https://example.com' });
  const { id: workspaceId } = await newDirectory(api, { type: 'workspace' });
  await scim('POST', '/Users', user('ann'));
  const [event] = (await manage(api, 'GET', `/events?directoryId=${directoryId}`)).body.data;
  const token = (await manage(api, 'POST', `/${directoryId}/scim-tokens`, { name: 'one' })).body;
  const idOf = (path: string): string => {
    if (path.includes('/scim-tokens/')) return token.data.id;
    return path.includes('/events/') ? event.id : directoryId;
  };
  const { body: document } = await api.http.send('GET', '/openapi.json');
  operations = describedBodies(document).map(({ path, ...operation }) => ({
    ...operation,
    path: path
      .replace('{directoryId}', path.includes('/workspace/') ? workspaceId : directoryId)
      .replace('{id}', idOf(path)),
  }));
});

afterAll(() => stack.close());

function describedBodies({ paths, components }: Json): Operation[] {
  return Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (!path.startsWith(PREFIX) || !schema) return [];
      const { properties } = components.schemas[schema.$ref.split('/').at(-1)];
      const isRequired = requestBody.required === true;
      return {
        method: method.toUpperCase(),
        path: path.slice(PREFIX.length),
        isRequired,
        properties,
      };
    }),
  );
}

/** Sends each value of a property alone, and returns the operations and values that are not refused by name. */
async function accepted(valuesOf: (name: string, schema: Json) => unknown[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { method, path, properties } of operations) {
    for (const [name, schema] of Object.entries(properties)) {
      for (const value of valuesOf(name, schema)) {
        const { status, body } = await manage(api, method, path, { [name]: value });
        const isNamed = new RegExp(`(^|; )${name}[.[:]`).test(body.error?.message ?? '');
        if (status !== 400 || !isNamed) found.push([method, path, name, value, status]);
      }
    }
  }
  return found;
}

it('400: a required body is left out, or is null', async () => {
  expect(operations.length).toBeGreaterThanOrEqual(18);
  for (const { method, path, isRequired } of operations) {
    const [missing, none] = [
      await manage(api, method, path),
      await manage(api, method, path, 'null'),
    ];
    const refusal = [isRequired, missing.status === 400, none.status];
    expect([path, ...refusal]).toEqual([path, isRequired, isRequired, 400]);
    if (isRequired) expect(missing.body.error.message).toBe('body: is required');
  }
});

const mayBeNull = ({ type }: Json) => [type].flat().includes('null');

it('400: null for a member that is not nullable', async () => {
  const notNull = (_name: string, schema: Json) => (mayBeNull(schema) ? [] : [null]);
  expect(await accepted(notNull)).toEqual([]);
});

it('200, 201: null for a member that is nullable', async () => {
  for (const { method, path, properties } of operations) {
    for (const name of Object.keys(properties).filter((each) => mayBeNull(properties[each]))) {
      const { body } = await manage(api, method, path, { [name]: null });
      const isRefused = body.error?.message.includes(`${name}: must not be null`) === true;
      expect([path, name, isRefused]).toEqual([path, name, false]);
    }
  }
});

it('400: a number or an empty text for an enum, and an empty text for a time, an id or a secret', async () => {
  const isExact = (name: string, { format }: Json) =>
    ['uuid', 'date-time'].includes(format) ||
    /secret$|^(after|endpoint_id|duration|ttl)$/.test(name);
  const values = (name: string, schema: Json) => {
    if (schema.enum) return [0, 1, ''];
    return isExact(name, schema) ? [''] : [];
  };
  expect(await accepted(values)).toEqual([]);
});

it('400: null inside a role mapping, with the path of the member', async () => {
  const [{ path }] = operations.filter((each) => each.path.endsWith('/role-mappings')) as [
    Operation,
  ];
  for (const address of [path, `${path}:preview`]) {
    const method = address === path ? 'PUT' : 'POST';
    for (const [rule, field] of [
      [{ group: null, role: 'x' }, 'rules[0].group'],
      [{ group: { id: null }, role: 'x' }, 'rules[0].group.id'],
      [{ group: { display_name: null }, role: 'x' }, 'rules[0].group.display_name'],
      [{ group: { display_name: 'a' }, role: null }, 'rules[0].role'],
      [{ group: { display_name: 'a' }, role: 'x', priority: null }, 'rules[0].priority'],
      [null, 'rules[0]'],
    ] as const) {
      const { status, body } = await manage(api, method, address, { rules: [rule] });
      const isNamed = String(body.error?.message).startsWith(`${field}`);
      expect([field, status, isNamed, body.error?.message]).toEqual([
        field,
        400,
        true,
        body.error?.message,
      ]);
    }
  }
});

it('400: rules null, and the mapping stays', async () => {
  const { id } = await newDirectory(api);
  const rules = [{ group: { display_name: 'admins' }, role: 'admin' }];
  await manage(api, 'PUT', `/${id}/role-mappings`, { rules });
  const refused = await manage(api, 'PUT', `/${id}/role-mappings`, { rules: null });
  expect([refused.status, refused.body.error.message]).toEqual([400, 'rules: must not be null']);
  const { body } = await manage(api, 'GET', `/${id}/role-mappings`);
  expect(body.data.rules).toMatchObject(rules);
});

it('200: null resets what is nullable', async () => {
  const { id } = await newDirectory(api);
  const guard = { max_deletes: 3, protected_groups: ['admins'] };
  await manage(api, 'PATCH', `/${id}/guard`, guard);
  const reset = await manage(api, 'PATCH', `/${id}/guard`, { max_deletes: null });
  expect(reset.body.data).toMatchObject({ max_deletes: null, protected_groups: ['admins'] });
  const mapping = { department: 'title' };
  await manage(api, 'PATCH', `/${id}`, { attribute_mapping: mapping });
  const cleared = await manage(api, 'PATCH', `/${id}`, { attribute_mapping: null });
  expect([cleared.status, cleared.body.data.attribute_mapping]).toEqual([200, undefined]);
});

it('404: a directory that does not exist, whatever is listed of it', async () => {
  for (const id of ['xyz', '8e1522ff-ab24-457a-a35a-cff7391d7ac3']) {
    for (const path of [
      `/users?directoryId=${id}`,
      `/groups?directoryId=${id}`,
      `/events?directoryId=${id}`,
      `/setup-links?directory_id=${id}`,
      `/${id}/webhook/logs`,
      `/${id}/webhook-endpoints`,
      `/${id}/requests`,
      `/${id}/scim-tokens`,
    ]) {
      const { status, body } = await manage(api, 'GET', path);
      expect([path, status, body.error?.message]).toEqual([path, 404, 'Directory not found.']);
    }
  }
  const { id } = await newDirectory(api);
  for (const path of ['users', 'groups', 'events']) {
    const other = `/${path}?directoryId=${id}&tenant=other&product=product`;
    const { status, body } = await manage(api, 'GET', other);
    expect([path, status, body.data]).toEqual([path, 200, []]);
  }
});

it('200: lists directories by product or by provider', async () => {
  const product = `listed-${randomUUID()}`;
  const { id } = await newDirectory(api, { product, type: 'okta-scim-v2' });
  const idsOf = async (query: string) => {
    const { body } = await manage(api, 'GET', `/product?${query}`);
    return body.data.map((each: Json) => each.id);
  };
  expect(await idsOf(`product=${product}&provider=okta-scim-v2`)).toEqual([id]);
  expect(await idsOf(`product=${product}&provider=azure-scim-v2`)).toEqual([]);
  expect(await idsOf('provider=okta-scim-v2')).toContain(id);
  for (const query of ['', '?provider=okta', '?product=']) {
    expect((await manage(api, 'GET', `/product${query}`)).status).toBe(400);
  }
});
