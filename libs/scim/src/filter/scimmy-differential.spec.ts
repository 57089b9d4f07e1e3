import fc from 'fast-check';
import SCIMMY from 'scimmy';
import { userResourceType } from '../schema/resource-type.js';
import { bindFilter } from './filter-binder.js';
import { matchesFilter } from './filter-evaluator.js';
import { parseFilter } from './filter-parser.js';

/**
 * Compares with scimmy on the ground where it follows the RFC: values in the letter case that is
 * stored, attributes that have a value, no extension, no value path over several conditions.
 */

const people = [
  { id: '1', userName: 'adele', title: 'lead', rank: 4, on: true },
  { id: '2', userName: 'grady', title: 'clerk', rank: 6, on: false },
  { id: '3', userName: 'lynne', title: 'lead', rank: 14, on: true },
  { id: '4', userName: 'megan', title: 'owner', rank: 9, on: false },
];

const comparison = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('userName', 'title'),
      fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'pr'),
      fc.constantFrom('adele', 'lead', 'e', 'l', 'clerk', 'me', 'n'),
    )
    .map(([path, operator, value]) =>
      operator === 'pr' ? `${path} pr` : `${path} ${operator} "${value}"`,
    ),
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'), fc.constantFrom(4, 6, 9, 20))
    .map(([operator, value]) => `rank ${operator} ${value}`),
  fc.constantFrom('on eq true', 'on eq false'),
);

const expression = fc
  .array(fc.tuple(fc.constantFrom('and', 'or'), comparison), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([word, test], index) => (index === 0 ? test : `${word} ${test}`)))
  .map((parts) => parts.join(' '));

it('selects the same resources as scimmy', () => {
  fc.assert(
    fc.property(expression, (text) => {
      const filter = bindFilter(parseFilter(text), userResourceType);
      const ours = people.filter((person) => matchesFilter(filter, person));
      const theirs = new SCIMMY.Types.Filter(text).match(people) as typeof people;
      expect(ours.map(({ id }) => id)).toEqual(theirs.map(({ id }) => id));
    }),
    { numRuns: 300 },
  );
});
