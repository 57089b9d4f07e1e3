import {
  bindFilter,
  type JsonObject,
  matchesFilter,
  parseFilter,
  userResourceType,
} from '@gatehouse/scim';
import fc from 'fast-check';
import { ENTERPRISE, filtered, group, type Json, user } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

const idsOf = (data: Json): string[] => data.Resources.map(({ id }: Json) => id as string);

describe('every filter', () => {
  const words = ['ann', 'Ann', 'bo', 'b%_o', 'É', 'zed\\"', ''];
  const word = fc.constantFrom(...words);
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const resource = fc.record({
    displayName: optional(word),
    externalId: optional(word),
    active: optional(fc.boolean()),
    title: optional(word),
    name: optional(fc.record({ givenName: optional(word), familyName: optional(word) })),
    emails: optional(
      fc.array(
        fc.record({
          value: fc.constantFrom('ann@x.example', 'Bo@x.example', 'zed@y.example'),
          type: optional(fc.constantFrom('work', 'home')),
        }),
        { maxLength: 3 },
      ),
    ),
    [ENTERPRISE]: optional(fc.record({ department: word })),
  });
  const paths = [
    'userName',
    'displayName',
    'externalId',
    'title',
    'name.givenName',
    'name.familyName',
    'emails.value',
    'emails.type',
    'emails',
    'groups.display',
    `${ENTERPRISE}:department`,
    'noSuchThing',
  ];
  const text = fc.oneof(word, fc.constantFrom('ann@x.example', 'y.example', 'work', 'all'));
  const comparison = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'),
      text,
    )
    .map(([path, operator, value]) => `${path} ${operator} ${JSON.stringify(value)}`);
  const present = fc.constantFrom(...paths, 'name', 'active').map((path) => `${path} pr`);
  const active = fc.constantFrom('active eq true', 'active eq false', 'active ne true');
  const valuePath = fc
    .tuple(comparison, fc.constantFrom('work', 'home'))
    .map(([, type]) => `emails[type eq "${type}" and not (value sw "ann")]`);
  const { filter } = fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      comparison,
      present,
      active,
      valuePath,
      fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} and ${b})`),
      fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} or ${b})`),
      tie('filter').map((inner) => `not (${inner})`),
    ),
  }));

  it('returns the rows that the same filter matches in memory', async () => {
    const { directory } = fixture;
    const samples = fc.sample(resource, { numRuns: 60, seed: 7 });
    const ids: string[] = [];
    for (const [index, sample] of samples.entries()) {
      const body = user(`${index % 3 ? 'Ann' : 'bo'}-${index}`, sample);
      const { status, data } = await directory.send('POST', '/Users', body);
      expect(status).toBe(201);
      ids.push(data.id as string);
    }
    await directory.send('POST', '/Groups', group('all', ids.slice(0, 10)));
    const { data } = await directory.send('GET', '/Users?count=1000');
    const resources: JsonObject[] = data.Resources;

    await fc.assert(
      fc.asyncProperty(filter, async (filterText) => {
        const bound = bindFilter(parseFilter(filterText), userResourceType);
        const expected = resources.filter((each) => matchesFilter(bound, each));
        const answer = await directory.send('GET', filtered('Users', filterText, '&count=1000'));
        expect(answer.status).toBe(200);
        expect(idsOf(answer.data)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });
});
