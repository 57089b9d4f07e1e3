/** A strict directory refuses what the SCIM interoperability profile forbids. */
import { type TestStack } from '@gatehouse/testing';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

let stack: TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});
afterAll(() => stack.close());

const patch = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});
const WITHOUT_PATH = patch({ op: 'replace', value: { active: false } });
const UNKNOWN = user('ann', { shoeSize: 4 });

/** The requests that a strict directory refuses, with the status of the others. */
const requestsOf = (id: string): [string, string, object | undefined, number, string][] => [
  ['POST', '/Users', UNKNOWN, 201, 'shoeSize'],
  ['PUT', `/Users/${id}`, user('bob', { name: { suffix: 'x' } }), 200, 'name.suffix'],
  ['PATCH', `/Users/${id}`, WITHOUT_PATH, 200, 'Operations[0]'],
  ['PATCH', `/Users/${id}`, patch({ op: 'add', path: 'shoe', value: 4 }), 200, 'shoe'],
  ['POST', '/Groups', { displayName: 'a', color: 'red' }, 201, 'color'],
  ['GET', `/Users?filter=${encodeURIComponent('shoeSize eq 4')}`, undefined, 200, 'shoeSize'],
];

const statusesOf = async (directory: TestDirectory) => {
  const { body } = await directory.scim('POST', '/Users', user('bob'));
  const answers = [];
  for (const [method, path, content, , name] of requestsOf(body.id)) {
    const answer = await directory.scim(method, path, content);
    const { status, body: error } = answer;
    answers.push([status, status === 400 && [error.scimType, error.detail.includes(name)]]);
  }
  return answers;
};
const REFUSED = requestsOf('').map(([method]) => [
  400,
  [method === 'GET' ? 'invalidFilter' : 'invalidSyntax', true],
]);
const ACCEPTED = requestsOf('').map(([, , , status]) => [status, false]);

it('400 naming the attribute, the operation or the term, in a strict directory only', async () => {
  expect(await statusesOf(await newDirectory(api))).toEqual(ACCEPTED);
  expect(await statusesOf(await newDirectory(api, { strict: true }))).toEqual(REFUSED);
});

it('is turned on and off by PATCH of the directory, at once, and shown with it', async () => {
  const directory = await newDirectory(api);
  const set = async (strict: boolean) => {
    const { status, body } = await manage(api, 'PATCH', `/${directory.id}`, { strict });
    expect([status, body.data.strict]).toEqual([200, strict]);
  };
  const { body } = await directory.scim('POST', '/Users', user('ann', { shoeSize: 4 }));
  const send = async () =>
    (await directory.scim('PATCH', `/Users/${body.id}`, WITHOUT_PATH)).status;
  expect(await send()).toBe(200);
  await set(true);
  expect(await send()).toBe(400);
  // Attributes that were stored before stay, and do not prevent changes.
  const allowed = patch({ op: 'replace', path: 'active', value: true });
  const changed = await directory.scim('PATCH', `/Users/${body.id}`, allowed);
  expect([changed.status, changed.body.shoeSize]).toEqual([200, 4]);
  await set(false);
  expect(await send()).toBe(200);
});

it('400: strict is true or false', async () => {
  const { id } = await newDirectory(api);
  const { status, body } = await manage(api, 'PATCH', `/${id}`, { strict: 'yes' });
  expect([status, body.error.message]).toEqual([400, 'strict: must be true or false']);
});

it('refuses operations of /Bulk one by one, and accepts a well-formed client', async () => {
  const directory = await newDirectory(api, { strict: true });
  const answer = await directory.scim('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [
      { method: 'POST', path: '/Users', bulkId: 'a', data: UNKNOWN },
      { method: 'POST', path: '/Users', bulkId: 'b', data: user('ann', { nickName: 'a' }) },
    ],
  });
  const statuses = answer.body.Operations.map(({ status }: { status: string }) => status);
  expect([answer.status, statuses]).toEqual([200, ['400', '201']]);
});
