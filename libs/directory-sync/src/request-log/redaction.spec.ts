import { Redaction } from './redaction.js';

const redacted = (body: unknown, names: string[] = []) =>
  JSON.parse(new Redaction(names).textOf(body) ?? 'null') as unknown;

it('redacts credentials and personal values by name, at any depth and in any case', () => {
  const extension = 'urn:example:hr:2.0:User';
  const body = {
    userName: 'ann',
    Password: 'p4ss',
    phoneNumbers: [{ value: '+1 555' }],
    [extension]: { nationalIdNumber: '123', apiKey: 'k', rank: 'x' },
    Operations: [{ data: { oauthToken: 't', name: { givenName: 'Ann' } } }],
  };
  expect(redacted(body)).toEqual({
    userName: 'ann',
    Password: '[redacted]',
    phoneNumbers: '[redacted]',
    [extension]: { nationalIdNumber: '[redacted]', apiKey: '[redacted]', rank: 'x' },
    Operations: [{ data: { oauthToken: '[redacted]', name: { givenName: 'Ann' } } }],
  });
});

it.each([
  ['password', 'password'],
  ['urn:example:2.0:User:SSN', 'urn:example:2.0:User:SSN'],
  ['phoneNumbers[value eq "+1 555"].value', 'phoneNumbers'],
  ['phoneNumbers[value eq "+1 ]555', 'phoneNumbers'],
])('redacts the value of an operation on %s, and what its path compares with', (path, shown) => {
  const operations = (sent: string, value: string) => ({
    Operations: [{ op: 'add', path: sent, value }],
  });
  expect(redacted(operations(path, 'hidden'))).toEqual(operations(shown, '[redacted]'));
});

it.each([
  ['Path', 'Value', 'password'],
  ['PATH', 'VALUE', 'creds.apiToken'],
  ['path', 'VALUE', 'urn:example:2.0:User:SSN'],
  ['pAth', 'value', 'phoneNumbers'],
])('redacts operations with the members %s and %s, also in bulk', (path, value, attribute) => {
  const body = (shown: unknown, filter = '') => {
    const operation = { OP: 'add', [path]: attribute + filter, [value]: shown };
    const bulk = { METHOD: 'PATCH', PATH: '/Users/1', DATA: { OPERATIONS: [operation] } };
    return { operations: [operation, bulk] };
  };
  expect(redacted(body('hidden', '[value eq "hidden"]'))).toEqual(body('[redacted]'));
  expect(redacted(body({ value: ['hidden'] }))).toEqual(body('[redacted]'));
});

it('redacts an operation with two paths if one of them is hidden', () => {
  const operation = { path: 'title', Path: 'password', value: 'a', Value: 'b' };
  expect(redacted(operation)).toMatchObject({ value: '[redacted]', Value: '[redacted]' });
});

it('redacts attributes that the operator has named', () => {
  expect(redacted({ Salary: 1, title: 'x' }, ['salary'])).toEqual({
    Salary: '[redacted]',
    title: 'x',
  });
});

it('keeps nothing of what is no JSON object, and cuts what is long or deep', () => {
  const redaction = new Redaction([]);
  expect(redaction.textOf(undefined)).toBeNull();
  expect(redaction.textOf('password=x')).toBe('[not a JSON object]');
  expect(redaction.textOf({ title: 'x'.repeat(100_000) })?.length).toBeLessThan(17_000);
  let deep: unknown = 'hidden';
  for (let depth = 0; depth < 100; depth += 1) deep = { deep };
  expect(redaction.textOf(deep)).not.toContain('hidden');
});
