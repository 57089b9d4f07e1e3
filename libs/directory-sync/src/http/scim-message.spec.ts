import { scimMediaType } from './scim-message.js';

describe('scimMediaType', () => {
  it.each([
    [undefined, 'scim+json'],
    ['*/*', 'scim+json'],
    ['application/json', 'json'],
    ['application/json, application/scim+json;q=0.1', 'scim+json'],
    ['application/json, application/scim+json;q=0', 'json'],
    ['application/json; charset=utf-8 , application/scim+json; Q=0.000', 'json'],
    ['application/json, application/scim+json;q=0.001', 'scim+json'],
    ['application/json;q=0', 'scim+json'],
  ])('answers Accept: %s as application/%s', (accept, type) => {
    expect(scimMediaType(accept)).toBe(`application/${type}; charset=utf-8`);
  });
});
