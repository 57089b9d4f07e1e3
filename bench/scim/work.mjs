// @ts-check
/**
 * The requests that are measured, the same for both sides: what an identity provider sends,
 * passed to `requests.handle` in process.
 *
 * @typedef {{ status: number, data: any }} Answer
 * @typedef {object} Call
 * @property {string} method
 * @property {'users' | 'groups'} resourceType
 * @property {string} [resourceId]
 * @property {Record<string, unknown>} [query]
 * @property {object} [body]
 * @typedef {(call: Call) => Promise<Answer>} Send
 * @typedef {{ run: (n: number) => Promise<Answer>, check: (answer: any) => void }} Work
 */
import assert from 'node:assert/strict';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const POOL = 1_000;
const GROUPS = 200;
/** Far enough behind that the addition is over when its removal is sent. */
const REMOVED_AFTER = 32;

/** @param {string} userName */
export function userBody(userName) {
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

/** @param {Send} send */
export async function postUser(send) {
  // Runs against one database must not meet each other's names.
  const run = process.pid.toString(36);
  return {
    run: (/** @type {number} */ n) =>
      send({
        method: 'POST',
        resourceType: 'users',
        body: userBody(`p${run}-${n}@bench.example`),
      }),
    check: (/** @type {Answer} */ { status, data }) => {
      assert.equal(status, 201);
      assert.ok(data.id);
      assert.equal(data.name.familyName, 'Person');
    },
  };
}

/** @param {Send} send */
export async function filterUserName(send) {
  const users = await makeUsers(send);
  return {
    run: (/** @type {number} */ n) => {
      const filter = `userName eq "${at(users, n).userName}"`;
      return send({
        method: 'GET',
        resourceType: 'users',
        query: { filter, startIndex: 1, count: 100 },
      });
    },
    check: (/** @type {Answer} */ { status, data }) => {
      assert.equal(status, 200);
      assert.equal(data.totalResults, 1);
      assert.equal(data.Resources[0].displayName, 'Bench Person');
    },
  };
}

/** @param {Send} send */
export async function patchActive(send) {
  const users = await makeUsers(send);
  return {
    // Each round over the users turns what the round before it has set.
    run: (/** @type {number} */ n) =>
      send({
        method: 'PATCH',
        resourceType: 'users',
        resourceId: at(users, n).id,
        body: patch({
          op: 'replace',
          path: 'active',
          value: Math.floor(n / POOL) % 2 === 1,
        }),
      }),
    check: (/** @type {Answer} */ { status, data }) => {
      assert.equal(status, 200);
      assert.equal(typeof data.active, 'boolean');
    },
  };
}

/** @param {Send} send */
export async function addMember(send) {
  const users = await makeUsers(send);
  const groups = await inLanes(GROUPS, async (index) => {
    const body = { schemas: [GROUP], displayName: `Group ${index}`, members: [] };
    const { status, data } = await send({ method: 'POST', resourceType: 'groups', body });
    assert.equal(status, 201);
    return String(data.id);
  });
  return {
    // Every pair of user and group once, spread over the groups as a push of many groups is.
    run: (/** @type {number} */ n) => {
      const { id, userName } = at(users, Math.floor(n / GROUPS));
      return send({
        method: 'PATCH',
        resourceType: 'groups',
        resourceId: groups[n % GROUPS],
        // The peer's answer never holds the members; so neither side reads them.
        query: { excludedAttributes: 'members' },
        body: patch({ op: 'add', path: 'members', value: [{ value: id, display: userName }] }),
      });
    },
    check: (/** @type {Answer} */ { status, data }) => {
      assert.equal(status, 200);
      assert.ok(data.id);
    },
  };
}

/**
 * Adds and removes one member of one group in turn.
 * @param {Send} send
 * @param {{ groupId: string, userIds: string[] }} options users that are no members yet
 */
export async function changeMember(send, { groupId, userIds }) {
  return {
    run: (/** @type {number} */ n) => {
      const isAddition = n % 2 === 0;
      const turn = Math.floor(n / 2) - (isAddition ? 0 : REMOVED_AFTER);
      const id = userIds[(turn + userIds.length) % userIds.length];
      return send({
        method: 'PATCH',
        resourceType: 'groups',
        resourceId: groupId,
        query: { excludedAttributes: 'members' },
        body: patch(
          isAddition
            ? { op: 'add', path: 'members', value: [{ value: id }] }
            : { op: 'remove', path: `members[value eq "${id}"]` },
        ),
      });
    },
    check: (/** @type {Answer} */ { status, data }) => {
      assert.equal(status, 200);
      assert.equal(data.id, groupId);
    },
  };
}

/**
 * Reads the page of 100 users that a cursor stands before.
 * @param {Send} send
 * @param {{ cursor: string }} options
 */
export async function readPage(send, { cursor }) {
  return {
    run: () => send({ method: 'GET', resourceType: 'users', query: { cursor, count: 100 } }),
    check: (/** @type {Answer} */ { status, data }) => {
      assert.equal(status, 200);
      assert.equal(data.Resources.length, 100);
      assert.ok(data.nextCursor);
    },
  };
}

/** @param {object} operation */
function patch(operation) {
  return { schemas: [PATCH_OP], Operations: [operation] };
}

/**
 * @param {Send} send
 * @returns {Promise<{ id: string, userName: string }[]>}
 */
function makeUsers(send) {
  return inLanes(POOL, async (index) => {
    const userName = `user-${index}@bench.example`;
    const body = userBody(userName);
    const { status, data } = await send({ method: 'POST', resourceType: 'users', body });
    assert.equal(status, 201);
    return { id: String(data.id), userName };
  });
}

/**
 * @template T
 * @param {number} count
 * @param {(index: number) => Promise<T>} make
 * @returns {Promise<T[]>}
 */
async function inLanes(count, make) {
  /** @type {T[]} */
  const made = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      made[index] = await make(index);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return made;
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} n
 * @returns {T}
 */
function at(list, n) {
  return /** @type {T} */ (list[n % list.length]);
}
