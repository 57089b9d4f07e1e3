import { ScimError } from '../errors/scim-error.js';
import { type JsonObject } from '../json/json.js';
import { userResourceType } from '../schema/resource-type.js';
import { bindFilter } from './filter-binder.js';
import { matchesFilter } from './filter-evaluator.js';
import { parseFilter } from './filter-parser.js';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const resource: JsonObject = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  id: '2f1c',
  externalId: 'Ext-9',
  userName: 'Mara.Lind@example.org',
  displayName: 'Mara "ML" Lind',
  title: '',
  active: true,
  name: { givenName: 'Mara', familyName: 'Lind', pet: 'Rex' },
  emails: [
    { value: 'mara@work.example', type: 'work', primary: true },
    { value: 'Mara@home.example', type: 'home', extra: 7 },
  ],
  phoneNumbers: [],
  groups: [{ value: 'g-1', display: 'Staff' }],
  meta: { resourceType: 'User', created: '2026-05-06T07:08:09.010Z' },
  [enterprise]: { department: 'R&D', manager: { value: 'm-7' } },
  shoeSize: 41.5,
  badge: [{ code: 'A1' }, { code: 'b2', value: 'V' }],
  flag: false,
  'urn:example:custom:2.0:User': { Color: 'Teal' },
};

function matches(text: string): boolean {
  return matchesFilter(bindFilter(parseFilter(text), userResourceType), resource);
}

describe('matchesFilter', () => {
  it.each([
    // letter case follows caseExact
    'userName eq "mara.lind@EXAMPLE.org"',
    'USERNAME eq "Mara.Lind@example.org"',
    'userName sw "MARA"',
    'userName ew "example.org"',
    'userName co "LIND@"',
    'externalId eq "Ext-9"',
    'id eq "2f1c"',
    'emails.type eq "WORK"',
    // paths
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "mara"',
    'urn:scim:schemas:core:1.0:userName sw "mara"',
    `${enterprise}:department eq "r&d"`,
    `${enterprise.toUpperCase()}:Department eq "R&D"`,
    `${enterprise}:manager.value eq "m-7"`,
    `${enterprise}:manager eq "m-7"`,
    'manager eq "m-7"',
    'department eq "R&D"',
    `${enterprise} pr`,
    `schemas eq "${enterprise.toLowerCase()}"`,
    `schemas[value eq "${enterprise}"]`,
    'name.givenName eq "mara"',
    'name[givenName eq "Mara" and familyName eq "Lind"]',
    // elements
    'emails eq "mara@home.example"',
    'emails co "@work."',
    'emails.value eq "mara@work.example"',
    'emails[type eq "work" and value eq "mara@work.example"]',
    'emails[type eq "work"].value eq "mara@work.example"',
    'emails[not (primary eq true)].type eq "home"',
    'emails[primary eq "True"]',
    'emails.primary eq true',
    'groups.value eq "g-1"',
    'groups eq "g-1"',
    // presence and null
    'name pr',
    'emails pr',
    'active pr',
    'not (title pr)',
    'not (nickName pr)',
    'not (phoneNumbers pr)',
    'nickName eq null',
    'title eq null',
    'userName ne null',
    'phoneNumbers eq null',
    // ne is true where there is nothing
    'nickName ne "x"',
    'emails.type ne "other"',
    'roles ne "x"',
    // types
    'active eq true',
    'active eq "True"',
    'active eq True',
    'active ne false',
    'meta.created eq "2026-05-06T09:08:09.010+02:00"',
    'meta.created gt "2026-05-06T07:08:09.009Z"',
    'meta.created le "2026-05-06T07:08:09.010Z"',
    'meta.created ge "2026-05-06"',
    'meta.created co "2026-05"',
    'displayName gt "A"',
    'displayName eq "mara \\"ml\\" lind"',
    'userName lt "zzz"',
    // attributes that no schema has
    'name.pet eq "rex"',
    'emails.extra gt 6',
    'emails[extra eq 7]',
    'shoeSize ge 41.5',
    'shoeSize lt 42',
    'SHOESIZE eq 41.5',
    'badge.code eq "B2"',
    'badge eq "v"',
    'badge[code eq "b2" and value eq "v"]',
    'flag eq "False"',
    'flag eq false',
    'flag pr',
    'urn:example:custom:2.0:User:color eq "teal"',
    'URN:EXAMPLE:custom:2.0:USER:Color co "ea"',
    'urn:example:custom:2.0:User pr',
    // logic
    'userName eq "x" or active eq true',
    'title pr or nickName pr or active eq true and emails pr',
    'not (userName eq "x" and active eq true)',
  ])('holds: %s', (text) => {
    expect(matches(text)).toBe(true);
  });

  it.each([
    'userName eq "mara"',
    'externalId eq "ext-9"',
    'id eq "2F1C"',
    'emails[type eq "home" and value eq "mara@work.example"]',
    'emails[type eq "work"].value eq "mara@home.example"',
    'emails[type eq "home" and primary eq true]',
    'emails.type ne "work"',
    'emails ne "mara@work.example"',
    'title pr',
    'nickName eq "x"',
    'nickName lt "x"',
    'nickName ne null',
    'active eq false',
    'active ne true',
    'userName gt "zzz"',
    'meta.created lt "2026-05-06T07:08:09.010Z"',
    'shoeSize eq "41.5"',
    'shoeSize gt "1"',
    'shoeSize co "4"',
    'badge[code eq "a1" and value eq "V"]',
    'noSuchThing eq "x"',
    'noSuchThing.sub eq "x"',
    'userName.sub eq "x"',
    'urn:example:none:2.0:User:color eq "teal"',
    'password eq "x"',
    'flag eq "falsey"',
    'userName eq "x" or title pr and active eq true',
  ])('does not hold: %s', (text) => {
    expect(matches(text)).toBe(false);
  });

  it.each(['toString pr', 'valueOf eq "x"', 'hasOwnProperty pr', 'name.toString pr'])(
    'does not see what an object inherits: %s',
    (text) => {
      expect(matches(text)).toBe(false);
    },
  );
});

describe('bindFilter', () => {
  it.each([
    'active gt true',
    'active co "tr"',
    'active eq "maybe"',
    'emails.primary ge true',
    'x509Certificates.value lt "aGVsbG8="',
    'meta.created gt "yesterday"',
    'meta.created eq "2026-13-01T00:00:00Z"',
    'meta.created eq "0000-01-01T00:00:00Z"',
    'userName gt null',
    'title co null',
    'flag gt true',
    'name eq "Mara"',
    'addresses eq "x"',
    `${enterprise} eq "x"`,
    'urn:ietf:params:scim:schemas:core:2.0:User pr',
    'emails.type[value pr]',
  ])('refuses %s', (text) => {
    const bind = () => bindFilter(parseFilter(text), userResourceType);
    expect(bind).toThrow(ScimError);
    expect(bind).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidFilter' }));
  });
});
