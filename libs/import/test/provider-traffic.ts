/** Requests of Okta and Entra ID to a directory before and after it moves. They remember the ids. */
import { departmentOf, entra, okta } from '@gatehouse/testing';

export interface Answer {
  status: number;
  data: Data;
}

/** The members of a user, a group or a list that are looked at. */
interface Data {
  id: string;
  active: boolean;
  totalResults: number;
  members: { value: string }[];
}

/** Sends a request of the provider; the path is below that of the directory. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

export type Memory = Record<'ada' | 'bob' | 'team', string>;

export interface Traffic {
  type: string;
  before(send: Send): Promise<Memory>;
  after(send: Send, memory: Memory): Promise<void>;
}

const ADA = { userName: 'ada@acme.example', givenName: 'Ada', familyName: 'Lovelace' };
const BOB = { userName: 'bob@acme.example', givenName: 'Bob', familyName: 'Kahn' };
const EVE = { userName: 'eve@acme.example', givenName: 'Eve', familyName: 'Moss' };

const addMembers = (...ids: string[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }],
});

export const oktaTraffic: Traffic = {
  type: okta.type,

  async before(send) {
    const ada = await provision(send, okta, ADA);
    const bob = await provision(send, okta, BOB);
    const changed = okta.changedUser({ ...ADA, id: ada, familyName: 'King' });
    await expectStatus(send, 200, 'PUT', `/Users/${ada}`, changed);
    const group = await expectStatus(send, 201, 'POST', '/Groups', okta.group('Team'));
    const team = group.data.id;
    await expectStatus(send, 200, 'PATCH', `/Groups/${team}`, addMembers(ada, bob));
    await expectStatus(send, 200, 'PATCH', `/Users/${bob}`, okta.deactivate);
    return { ada, bob, team };
  },

  async after(send, { ada, bob, team }) {
    await expectFound(send, okta.lookUp(ADA.userName), ada);
    await expectFound(send, okta.lookUp(BOB.userName), bob);
    const { data } = await expectStatus(send, 200, 'GET', `/Users/${bob}`);
    expect(data).toMatchObject({ userName: BOB.userName, active: false });
    const back = okta.changedUser({ ...BOB, id: bob });
    await expectStatus(send, 200, 'PUT', `/Users/${bob}`, back);
    const person = await expectStatus(send, 200, 'GET', `/Users/${ada}`);
    expect(person.data).toMatchObject({ name: { familyName: 'King' }, displayName: 'Ada King' });
    const members = await expectStatus(send, 200, 'GET', `/Groups/${team}`);
    expect(memberIds(members)).toEqual([ada, bob].sort());
    await expectStatus(send, 200, 'PATCH', `/Groups/${team}`, okta.removeMember(bob));
    await expectStatus(send, 409, 'POST', '/Users', okta.user(ADA));
    const eve = await provision(send, okta, EVE);
    const add = okta.addMember({ id: eve, userName: EVE.userName });
    const after = await expectStatus(send, 200, 'PATCH', `/Groups/${team}`, add);
    expect(memberIds(after)).toEqual([ada, eve].sort());
    const all = await expectStatus(send, 200, 'GET', '/Users?startIndex=1&count=100');
    expect(all.data.totalResults).toBe(3);
  },
};

export const entraTraffic: Traffic = {
  type: entra.type,

  async before(send) {
    const ada = await provision(send, entra, ADA);
    const bob = await provision(send, entra, BOB);
    const change = { familyName: 'King', mail: 'ada.king@acme.example', department: 'Engines' };
    await expectStatus(send, 200, 'PATCH', `/Users/${ada}`, entra.change(change));
    await expectStatus(send, 200, 'PATCH', `/Users/${bob}`, entra.deactivate);
    const group = await expectStatus(send, 201, 'POST', '/Groups', entra.group('Team'));
    const team = group.data.id;
    // With the flag that Polis adds to its address, the operation is in small letters.
    await expectStatus(send, 200, 'PATCH', `/Groups/${team}`, addMembers(ada));
    return { ada, bob, team };
  },

  async after(send, { ada, bob, team }) {
    await expectFound(send, entra.lookUp(ADA.userName), ada);
    await expectFound(send, entra.lookUp(BOB.userName), bob);
    const person = await expectStatus(send, 200, 'GET', `/Users/${ada}`);
    expect(person.data).toMatchObject({
      name: { familyName: 'King' },
      emails: [{ value: 'ada.king@acme.example' }],
    });
    expect(departmentOf(person.data)).toBe('Engines');
    const { data } = await expectStatus(send, 200, 'GET', `/Users/${bob}`);
    expect(data.active).toBe(false);
    const change = { familyName: 'Byron', mail: 'ada@acme.example', department: 'Poems' };
    const changed = await expectStatus(send, 200, 'PATCH', `/Users/${ada}`, entra.change(change));
    expect(departmentOf(changed.data)).toBe('Poems');
    const groups = `/Groups?filter=${encodeURIComponent('displayName eq "Team"')}`;
    await expectFound(send, groups, team);
    await expectStatus(send, 200, 'PATCH', `/Groups/${team}`, addMembers(bob));
    expect(memberIds(await expectStatus(send, 200, 'GET', `/Groups/${team}`))).toEqual(
      [ada, bob].sort(),
    );
    await expectStatus(send, 409, 'POST', '/Users', entra.user(ADA));
    await expectStatus(send, 204, 'DELETE', `/Users/${bob}`);
  },
};

async function provision(
  send: Send,
  dialect: typeof okta | typeof entra,
  person: typeof ADA,
): Promise<string> {
  const found = await expectStatus(send, 200, 'GET', dialect.lookUp(person.userName));
  expect(found.data.totalResults).toBe(0);
  const created = await expectStatus(send, 201, 'POST', '/Users', dialect.user(person));
  return created.data.id;
}

async function expectFound(send: Send, path: string, id: string): Promise<void> {
  const { data } = await expectStatus(send, 200, 'GET', path);
  expect(data).toMatchObject({ totalResults: 1, Resources: [{ id }] });
}

async function expectStatus(
  send: Send,
  status: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await send(method, path, body);
  expect({ request: `${method} ${path}`, ...answer }).toMatchObject({ status });
  return answer;
}

function memberIds({ data }: Answer): string[] {
  return data.members.map(({ value }) => value).sort();
}
