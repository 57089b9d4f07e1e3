/**
 * What the IPSIE profile for SCIM demands of an application, requirement by requirement:
 * docs/conformance.md has the same list, with what Gatehouse does not do.
 */
import { readFileSync } from 'node:fs';
import { type Json } from '@gatehouse/testing';
import { type LinkedStack, openLinkedStack, setActive } from './linked-stack.js';
import { manage, newDirectory, type TestDirectory, user } from './sync-stack.js';

let stack: LinkedStack;
let directory: TestDirectory;
beforeAll(async () => {
  stack = await openLinkedStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  directory = await newDirectory(stack.api);
});

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const patchOf = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });
const filterOf = (text: string) => `filter=${encodeURIComponent(text)}`;

async function create(path: string, content: object): Promise<Json> {
  const { status, body } = await directory.scim('POST', path, content);
  expect(status).toBe(201);
  return body;
}
const newUser = (name: string, more: object = {}) => create('/Users', user(name, more));
const newGroup = (displayName: string, more: object = {}) =>
  create('/Groups', { schemas: [GROUP], displayName, ...more });
const read = async (path: string) => {
  const { status, body } = await directory.scim('GET', path);
  expect(status).toBe(200);
  return body;
};

/** All resources of a list, page by page. */
async function allOf(path: string, nextOf: (page: Json) => string | undefined): Promise<string[]> {
  const ids: string[] = [];
  for (let query: string | undefined = nextOf({}); query !== undefined;) {
    const page = await read(`${path}?${query}`);
    ids.push(...(page.Resources as { id: string }[]).map(({ id }) => id));
    query = nextOf(page);
  }
  return ids;
}
const byIndex = (page: Json) => {
  const next = (page.startIndex ?? 1) + (page.itemsPerPage ?? 0);
  return page.totalResults !== undefined && next > page.totalResults
    ? undefined
    : `startIndex=${next}&count=2`;
};
const byCursor = (page: Json) => {
  if (page.totalResults === undefined) return 'cursor&count=2';
  return page.nextCursor && `cursor=${page.nextCursor}&count=2`;
};

const REQUIREMENTS: Record<string, () => Promise<void>> = {
  'users are created with externalId and a primary e-mail address': async () => {
    const emails = [{ value: 'kim@example.com', primary: true }];
    const { id } = await newUser('kim', { externalId: 'e-1', emails });
    expect(await read(`/Users/${id}`)).toMatchObject({ externalId: 'e-1', emails });
  },

  'users are updated by PATCH': async () => {
    const { id } = await newUser('kim');
    const change = patchOf({ op: 'replace', path: 'name.familyName', value: 'Lee' });
    expect((await directory.scim('PATCH', `/Users/${id}`, change)).status).toBe(200);
    expect(await read(`/Users/${id}`)).toMatchObject({ name: { familyName: 'Lee' } });
  },

  'users are deactivated and reactivated by PATCH': async () => {
    const { id } = await newUser('kim', { active: true });
    for (const active of [false, true]) {
      await directory.scim('PATCH', `/Users/${id}`, setActive(active));
      expect((await read(`/Users/${id}`)).active).toBe(active);
    }
  },

  'a deactivation ends API tokens, tokens derived from them, and sessions': async () => {
    const linked = await stack.linkedDirectory();
    const actor = linked.actor('kim');
    const { body } = await linked.scim('POST', '/Users', user('kim', { active: true }));
    const { secret } = await stack.issue(actor);
    const derived = await stack.admin('POST', '/apiKeys:derive', { credential: secret });
    const token = derived.body.token.token as string;
    await stack.works(token);
    const session = { actor_id: actor };
    const { body: portal } = await stack.admin('POST', '/portalSessions', session);
    await linked.scim('PATCH', `/Users/${body.id}`, setActive(false));
    await stack.isRefused(secret);
    await stack.isRefused(token);
    const path = `/portalSessions/${portal.portal_session.session_id}`;
    expect((await stack.admin('GET', path)).body.state).toBe('REVOKED');
  },

  'a user name can be used again after its user was deleted': async () => {
    const { id } = await newUser('kim');
    expect((await directory.scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await newUser('kim')).id).not.toBe(id);
  },

  'all users are read in pages, by index and by cursor': async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await newUser(name)).id as string);
    for (const next of [byIndex, byCursor]) {
      expect((await allOf('/Users', next)).sort()).toEqual([...ids].sort());
    }
  },

  'users are found by id, userName, externalId and e-mail address': async () => {
    const emails = [{ value: 'kim@example.com' }];
    const { id } = await newUser('kim', { externalId: 'e-1', emails });
    await newUser('other');
    expect((await read(`/Users/${id}`)).id).toBe(id);
    for (const filter of [
      'userName eq "kim"',
      'externalId eq "e-1"',
      'emails[value eq "kim@example.com"]',
    ]) {
      const { Resources } = await read(`/Users?${filterOf(filter)}`);
      expect(Resources).toMatchObject([{ id }]);
    }
  },

  'groups are created, and read without members': async () => {
    const { id: member } = await newUser('kim');
    const { id } = await newGroup('Staff', { members: [{ value: member }] });
    const group = await read(`/Groups/${id}?excludedAttributes=members`);
    expect([group.displayName, group.members]).toEqual(['Staff', undefined]);
    const query = `${filterOf('displayName eq "Staff"')}&excludedAttributes=members`;
    expect((await read(`/Groups?${query}`)).Resources).toMatchObject([{ id }]);
  },

  'all groups are read in pages, by index and by cursor': async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await newGroup(name)).id as string);
    for (const next of [byIndex, byCursor]) {
      expect((await allOf('/Groups', next)).sort()).toEqual([...ids].sort());
    }
  },

  'members are added and removed by PATCH, one or all': async () => {
    const [a, b] = [(await newUser('a')).id as string, (await newUser('b')).id as string];
    const { id } = await newGroup('Staff');
    const change = (operation: object) =>
      directory.scim('PATCH', `/Groups/${id}`, patchOf(operation));
    const members = async () =>
      ((await read(`/Groups/${id}`)).members ?? []).map(({ value }: Json) => value as string);
    await change({ op: 'add', path: 'members', value: [{ value: a }, { value: b }] });
    expect((await members()).sort()).toEqual([a, b].sort());
    await change({ op: 'remove', path: `members[value eq "${a}"]` });
    expect(await members()).toEqual([b]);
    await change({ op: 'remove', path: 'members' });
    expect(await members()).toEqual([]);
  },

  'ResourceTypes, Schemas and ServiceProviderConfig describe users and groups': async () => {
    const { Resources: types } = await read('/ResourceTypes');
    expect(types.map(({ name }: Json) => name as string)).toEqual(
      expect.arrayContaining(['User', 'Group']),
    );
    const { Resources: schemas } = await read('/Schemas');
    const users = schemas.find(({ id }: Json) => /core:2.0:User$/.test(id as string));
    const names = users.attributes.map(({ name }: Json) => name as string);
    expect(names).toEqual(expect.arrayContaining(['userName', 'active', 'emails']));
    expect(schemas.map(({ id }: Json) => id as string)).toContain(GROUP);
    const config = await read('/ServiceProviderConfig');
    expect([config.patch.supported, config.filter.supported]).toEqual([true, true]);
  },

  'errors have the SCIM format and no internal details': async () => {
    await newUser('kim');
    const { status, body } = await directory.scim('POST', '/Users', user('kim'));
    expect([status, Object.keys(body).sort()]).toEqual([
      409,
      ['detail', 'schemas', 'scimType', 'status'],
    ]);
  },

  'no one but the identity service changes users and groups': async () => {
    const { id } = await newUser('kim');
    const query = `?directoryId=${directory.id}`;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status } = await manage(stack.api, method, `/users/${id}${query}`, {});
      expect([404, 405]).toContain(status);
    }
  },

  'provisioning requests and their responses are logged': async () => {
    const { id } = await newUser('kim');
    const { body } = await manage(stack.api, 'GET', `/events?directoryId=${directory.id}`);
    expect(body.data).toMatchObject([{ event: 'user.created', data: { id } }]);
  },

  'requests without a valid token get 401': async () => {
    const { status } = await directory.scim('GET', '/Users', undefined, {
      authorization: 'Bearer other',
    });
    expect(status).toBe(401);
  },
};

describe('IPSIE profile for SCIM', () => {
  it.each(Object.entries(REQUIREMENTS))('%s', (_, requirement) => requirement());

  it('the page on conformance lists these requirements', () => {
    const [, table = ''] = readFileSync('docs/conformance.md', 'utf8').split('## IPSIE');
    const listed = [...table.matchAll(/^\| Tested +\| (.+?) +\|/gm)].map(([, text]) => text);
    const names = Object.keys(REQUIREMENTS).map((name) => name[0]?.toUpperCase() + name.slice(1));
    expect(listed).toEqual(names);
  });
});
