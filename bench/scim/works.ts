/**
 * The measured requests, as an identity provider sends them, passed to `requests.handle` in process.
 * Both sides of a row run the same work.
 */
import assert from 'node:assert/strict';
import { type ProcessWork } from '../runner/types.js';

export interface ScimCall {
  method: string;
  resourceType: 'users' | 'groups';
  resourceId?: string;
  query?: Record<string, unknown>;
  body?: object;
}
/** `data` is the resource or the list; each work asserts the members that it reads. */
export interface ScimResult {
  status: number;
  data: {
    id?: string;
    name?: { familyName: string };
    active?: boolean;
    totalResults?: number;
    Resources?: { displayName: string }[];
    nextCursor?: string;
  } | null;
}
export type Send = (call: ScimCall) => Promise<ScimResult>;
type Work = ProcessWork<ScimResult>;

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const POOL = 1_000;
const GROUPS = 200;
const LANES = 8;
/** Turns between adding and removing a member, so that the addition has finished by then. */
const REMOVED_AFTER = 32;

export const works = { postUser, filterUserName, patchActive, addMember, changeMember, readPage };
export type WorkName = keyof typeof works;

export interface WorkOptions {
  groupId?: string;
  userIds?: string[];
  cursor?: string;
}

export function userBody(userName: string) {
  return {
    schemas: [USER],
    userName,
    name: { givenName: 'Bench', familyName: 'Person' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Bench Person',
    locale: 'en-US',
    externalId: `ext-${userName}`,
    active: true,
  };
}

export function patchBody(operation: object) {
  return { schemas: [PATCH_OP], Operations: [operation] };
}

function postUser(send: Send): Work {
  // Names differ between runs on the same database.
  const run = process.pid.toString(36);
  return {
    run: (n) =>
      send({ method: 'POST', resourceType: 'users', body: userBody(`p${run}-${n}@bench.example`) }),
    check: ({ status, data }) => {
      assert.equal(status, 201);
      assert.ok(data?.id);
      assert.equal(data.name?.familyName, 'Person');
    },
  };
}

async function filterUserName(send: Send): Promise<Work> {
  const users = await createUsers(send);
  return {
    run: (n) => {
      const filter = `userName eq "${at(users, n).userName}"`;
      const query = { filter, startIndex: 1, count: 100 };
      return send({ method: 'GET', resourceType: 'users', query });
    },
    check: ({ status, data }) => {
      assert.equal(status, 200);
      assert.equal(data?.totalResults, 1);
      assert.equal(data.Resources?.[0]?.displayName, 'Bench Person');
    },
  };
}

async function patchActive(send: Send): Promise<Work> {
  const users = await createUsers(send);
  return {
    // Each pass over the users reverts the one before.
    run: (n) => {
      const value = Math.floor(n / POOL) % 2 === 1;
      return patch(send, 'users', at(users, n).id, { op: 'replace', path: 'active', value });
    },
    check: ({ status, data }) => {
      assert.equal(status, 200);
      assert.equal(typeof data?.active, 'boolean');
    },
  };
}

async function addMember(send: Send): Promise<Work> {
  const users = await createUsers(send);
  const groupIds = await inLanes(GROUPS, async (index) => {
    const body = { schemas: [GROUP], displayName: `Group ${index}`, members: [] };
    const { status, data } = await send({ method: 'POST', resourceType: 'groups', body });
    assert.equal(status, 201);
    return String(data?.id);
  });
  return {
    // Every pair of user and group once, spread over the groups like a push of many groups.
    run: (n) => {
      const { id, userName } = at(users, Math.floor(n / GROUPS));
      const value = [{ value: id, display: userName }];
      return patch(send, 'groups', at(groupIds, n), { op: 'add', path: 'members', value });
    },
    check: ({ status, data }) => {
      assert.equal(status, 200);
      assert.ok(data?.id);
    },
  };
}

/** Adds and removes one member of one group in turn; `userIds` are not members yet. */
function changeMember(send: Send, { groupId = '', userIds = [] }: WorkOptions): Work {
  return {
    run: (n) => {
      const isAddition = n % 2 === 0;
      const turn = Math.floor(n / 2) - (isAddition ? 0 : REMOVED_AFTER);
      const id = at(userIds, turn + userIds.length);
      const operation = isAddition
        ? { op: 'add', path: 'members', value: [{ value: id }] }
        : { op: 'remove', path: `members[value eq "${id}"]` };
      return patch(send, 'groups', groupId, operation);
    },
    check: ({ status, data }) => {
      assert.equal(status, 200);
      assert.equal(data?.id, groupId);
    },
  };
}

/** Reads the page of 100 users at a cursor. */
function readPage(send: Send, { cursor }: WorkOptions): Work {
  return {
    run: () => send({ method: 'GET', resourceType: 'users', query: { cursor, count: 100 } }),
    check: ({ status, data }) => {
      assert.equal(status, 200);
      assert.equal(data?.Resources?.length, 100);
      assert.ok(data.nextCursor);
    },
  };
}

function patch(send: Send, resourceType: ScimCall['resourceType'], id: string, operation: object) {
  return send({
    method: 'PATCH',
    resourceType,
    resourceId: id,
    // The peer never returns the members, so neither side reads them.
    ...(resourceType === 'groups' && { query: { excludedAttributes: 'members' } }),
    body: patchBody(operation),
  });
}

function createUsers(send: Send): Promise<{ id: string; userName: string }[]> {
  return inLanes(POOL, async (index) => {
    const userName = `user-${index}@bench.example`;
    const body = userBody(userName);
    const { status, data } = await send({ method: 'POST', resourceType: 'users', body });
    assert.equal(status, 201);
    return { id: String(data?.id), userName };
  });
}

async function inLanes<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      made[index] = await make(index);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return made;
}

function at<T>(list: readonly T[], n: number): T {
  return list[n % list.length]!;
}
