import { type ScimRequest } from '../scim/protocol/scim.types.js';
import { scimTarget } from '../scim/requests/scim-target.js';
import { entryOf } from './request-entry.js';
import { type AnsweredRequest } from './request-log.types.js';

const SECRET = 'a-secret-of-the-directory';

function entry(method: string, path: string, body?: unknown, more: Partial<AnsweredRequest> = {}) {
  const request: ScimRequest = {
    directoryId: 'd',
    apiSecret: SECRET,
    method,
    query: {},
    body,
    target: scimTarget(path),
  };
  const access = { directoryId: 'd', isAuthorized: true, tokenId: null, captureUntil: null };
  const answered = { access, requestId: 'r', method, path, userAgent: 'agent', status: 200 };
  return entryOf({ ...answered, durationMs: 1.23, request, ...more }, new Date().toISOString());
}

it('keeps the names of attributes that a write sends, without values', () => {
  const operations = [
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'ann@example.com' },
    { op: 'Replace', value: { 'name.givenName': 'Ann', active: true } },
    { op: 'Remove', path: 'members[value eq "0198"]' },
    { op: 'Add', path: 'ann@example.com is no path', value: 1 },
  ];
  const names = ['emails.value', 'name.givenName', 'active', 'members'];
  expect(entry('PATCH', '/Users/1', { Operations: operations }).attributes).toEqual(names);
  const resource = { schemas: ['x'], userName: 'ann', 'urn:a:2.0:User': {} };
  expect(entry('POST', '/Users', resource).attributes).toEqual(['userName', 'urn:a:2.0:User']);
  const bulk = {
    Operations: [
      { method: 'POST', path: '/Users', data: { userName: 'a' } },
      { method: 'PATCH', path: '/Users/1', data: { Operations: operations.slice(0, 1) } },
    ],
  };
  expect(entry('POST', '/Bulk', bulk).attributes).toEqual(['userName', 'emails.value']);
  expect(entry('POST', '/Users/.search', { filter: 'x' }).attributes).toEqual([]);
});

it('reads members of messages in any case', () => {
  const operation = { OP: 'add', Path: 'emails[type eq "work"].value', VALUE: 'ann@example.com' };
  const patch = { operations: [operation, { op: 'add', Value: { title: 'x' } }] };
  expect(entry('PATCH', '/Users/1', patch).attributes).toEqual(['emails.value', 'title']);
  const bulk = { OPERATIONS: [{ Method: 'PATCH', Path: '/Users/1', Data: patch }] };
  expect(entry('POST', '/Bulk', bulk).attributes).toEqual(['emails.value', 'title']);
  expect(entry('POST', '/Users/.search', { Filter: 'x' }).filter).toBe('x');
});

it('never keeps the credential, wherever it was sent', () => {
  const kept = entry(
    'PATCH',
    `/Users/${SECRET}`,
    { [SECRET]: 1, filter: SECRET },
    {
      userAgent: `agent ${SECRET}`,
      status: 400,
      response: { data: { detail: `No ${SECRET}.`, scimType: SECRET } },
    },
  );
  expect(JSON.stringify(kept)).not.toContain(SECRET);
});

it('keeps nothing from the body of a stranger', () => {
  const access = { directoryId: 'd', isAuthorized: false, tokenId: null, captureUntil: null };
  expect(entry('POST', '/Users', { userName: 'x' }, { access }).attributes).toEqual([]);
});

it('keeps texts that can be stored, of bounded length', () => {
  const kept = entry('GET', '/Users', undefined, {
    userAgent: `a\0b\ud800${'x'.repeat(10_000)}`,
    path: '/'.repeat(10_000),
  });
  expect(kept.user_agent).toMatch(/^a\ufffdb\ufffdx+$/);
  expect([kept.user_agent?.length, kept.path.length]).toEqual([512, 512]);
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`n${n}`, n]));
  expect(entry('POST', '/Users', wide).attributes).toHaveLength(50);
});
