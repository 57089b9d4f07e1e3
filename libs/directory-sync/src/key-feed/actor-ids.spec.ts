import { actorIdsOf, type Person } from './actor-ids.js';

const PERSON: Person = {
  id: '01983f70-1b42-7000-8000-8d03c5e6f712',
  email: 'Ada@Example.com',
  active: true,
  raw: { userName: 'Ada', externalId: 'E-17', title: 'Countess', emails: [{ value: 'a@b.com' }] },
};
const LINK = {
  revision: 1,
  attribute: 'id',
  actor_prefix: '',
  email_domains: [] as string[],
  on_deactivate: 'pause',
  on_delete: 'revoke',
} as const;

const idsOf = (link: Partial<typeof LINK> | object, person: object = {}, mapping = {}) =>
  actorIdsOf({ ...PERSON, ...person }, { ...LINK, ...link }, mapping);

it.each([
  ['id', [PERSON.id]],
  ['userName', ['Ada', 'ada']],
  ['externalId', ['E-17']],
  ['email', ['Ada@Example.com', 'ada@example.com']],
  ['post', ['Countess']],
  ['unmapped', []],
  ['addresses', []],
  ['toString', []],
])('names an actor by %s', (attribute, ids) => {
  expect(idsOf({ attribute }, {}, { post: 'title', addresses: 'emails' })).toEqual(ids);
});

it('puts the prefix before the value as it is', () => {
  expect(idsOf({ attribute: 'userName', actor_prefix: 'ACME:' })).toEqual(['ACME:Ada', 'ACME:ada']);
});

it('names no actor without a value, or with one that is too long', () => {
  expect(idsOf({ attribute: 'email' }, { email: '' })).toEqual([]);
  expect(idsOf({ attribute: 'userName' }, { raw: {} })).toEqual([]);
  const raw = (length: number) => ({ raw: { externalId: 'x'.repeat(length) } });
  expect(idsOf({ attribute: 'externalId', actor_prefix: 'a:' }, raw(254))).toEqual([]);
  expect(idsOf({ attribute: 'externalId', actor_prefix: 'a:' }, raw(253))).toHaveLength(1);
});

it.each([
  ['ada@example.com', 1],
  ['ada@EXAMPLE.com', 2],
  ['ada@other.com', 0],
  ['ada@sub.example.com', 0],
  ['ada@notexample.com', 0],
  ['ada@example.com@other.com', 0],
  ['ada@other.com@example.com', 1],
  ['example.com', 0],
])('of the addresses at a domain, %s names %i actors', (email, count) => {
  expect(idsOf({ attribute: 'email', email_domains: ['example.com'] }, { email })).toHaveLength(
    count,
  );
});
