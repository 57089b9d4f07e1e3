import { type JsonObject } from '../json/json.js';
import { deriveGroup, deriveUser } from './derived-fields.js';

function derive(resource: JsonObject) {
  return deriveUser({ schemas: [], userName: 'kim', ...resource });
}

describe('deriveUser', () => {
  const work = { value: 'kim@work.example', type: 'Work' };
  const home = { value: 'kim@home.example', type: 'home' };

  it.each<[string, JsonObject, string | null]>([
    ['the primary e-mail', { emails: [work, { ...home, primary: true }] }, 'kim@home.example'],
    ['else the one for work', { emails: [home, work] }, 'kim@work.example'],
    ['else the first', { emails: [home, { value: 'x@y' }] }, 'kim@home.example'],
    [
      'one that has a value',
      { emails: [{ type: 'work', primary: true }, home] },
      'kim@home.example',
    ],
    ['else userName when it is one', { userName: 'kim@x.example' }, 'kim@x.example'],
    ['else none', {}, null],
  ])('email is %s', (_name, resource, email) => {
    expect(derive(resource).email).toBe(email);
  });

  it('reads names and identifiers', () => {
    expect(
      derive({
        externalId: 'e',
        displayName: 'Kim R',
        name: { givenName: 'Kim', familyName: 'Roe' },
      }),
    ).toEqual({
      userName: 'kim',
      externalId: 'e',
      displayName: 'Kim R',
      firstName: 'Kim',
      lastName: 'Roe',
      email: null,
      active: true,
      emails: [],
    });
  });

  it('is active unless the resource has active: false', () => {
    expect(derive({}).active).toBe(true);
    expect(derive({ active: false }).active).toBe(false);
  });

  it('lists every e-mail value', () => {
    expect(derive({ emails: [work, home, { type: 'other' }] }).emails).toEqual([
      'kim@work.example',
      'kim@home.example',
    ]);
  });
});

describe('deriveGroup', () => {
  it('reads name and identifier', () => {
    expect(deriveGroup({ schemas: [], displayName: 'Staff' })).toEqual({
      displayName: 'Staff',
      externalId: null,
    });
  });
});
