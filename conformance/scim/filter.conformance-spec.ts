import {
  bindFilter,
  type JsonObject,
  matchesFilter,
  parseFilter,
  printFilter,
  userResourceType,
} from '@gatehouse/scim';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';

/** A filter, or `{ filter: canonical text }`. */
type PrintedFilter = string | Record<string, string>;

interface ParseGroup extends CaseGroup {
  accepted?: PrintedFilter[];
  tolerated?: PrintedFilter[];
  rejected?: string[];
}

interface MatchFile {
  resources: Record<string, JsonObject>;
  single: (CaseGroup & { resource: string; matches?: string[]; misses?: string[] })[];
  sets: (CaseGroup & { among: string[]; found: Record<string, string[]> })[];
  invalid: (CaseGroup & { filters: string[] })[];
}

const INVALID = expect.objectContaining({ status: 400, scimType: 'invalidFilter' }) as unknown;

describe('filter grammar', () => {
  for (const group of readCases<ParseGroup[]>('scim/filter-parse.yaml')) {
    describe(groupTitle(group), () => {
      const { accepted = [], tolerated = [], rejected = [] } = group;
      for (const [filter, printed] of [...accepted, ...tolerated].flatMap(entryOf)) {
        it(`accepts ${filter}`, () => {
          expect(printFilter(parseFilter(filter))).toBe(printed);
          expect(printFilter(parseFilter(printed))).toBe(printed);
        });
      }
      for (const [filter, printed] of accepted.flatMap(entryOf)) {
        it(`accepts ${filter} in strict mode`, () => {
          expect(printFilter(parseFilter(filter, { tolerant: false }))).toBe(printed);
        });
      }
      for (const filter of [...tolerated.flatMap(entryOf).map(([each]) => each), ...rejected]) {
        it(`rejects ${filter} in strict mode`, () => {
          expect(faultOf(() => bound(filter, false))).toEqual(INVALID);
        });
      }
    });
  }
});

describe('filter evaluation', () => {
  const { resources, single, sets, invalid } = readCases<MatchFile>('scim/filter-match.yaml');
  const resourceOf = (key: string): JsonObject => {
    const resource = resources[key];
    if (resource === undefined) throw new Error(`There is no resource ${key}.`);
    return resource;
  };

  for (const group of single) {
    describe(groupTitle(group), () => {
      const { matches = [], misses = [] } = group;
      for (const filter of matches) {
        it(`matches ${filter}`, () => {
          expect(matchesFilter(bound(filter), resourceOf(group.resource))).toBe(true);
        });
      }
      for (const filter of misses) {
        it(`does not match ${filter}`, () => {
          expect(matchesFilter(bound(filter), resourceOf(group.resource))).toBe(false);
        });
      }
    });
  }

  for (const group of sets) {
    describe(groupTitle(group), () => {
      for (const [filter, found] of Object.entries(group.found)) {
        it(`${filter} finds ${found.join(', ') || 'no resource'}`, () => {
          const isFound = (key: string) => matchesFilter(bound(filter), resourceOf(key));
          expect(group.among.filter(isFound)).toEqual(found);
        });
      }
    });
  }

  for (const group of invalid) {
    describe(groupTitle(group), () => {
      it.each(group.filters)('rejects %s', (filter) => {
        expect(faultOf(() => bound(filter))).toEqual(INVALID);
      });
    });
  }
});

function entryOf(filter: PrintedFilter): [string, string][] {
  return typeof filter === 'string' ? [[filter, filter]] : Object.entries(filter);
}

function bound(filter: string, tolerant = true) {
  return bindFilter(parseFilter(filter, { tolerant }), userResourceType);
}

function faultOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
