import { parsePatchRequest } from './patch-request.js';

const urn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const operation = { op: 'remove', path: 'title' };

describe('parsePatchRequest', () => {
  it.each([
    { schemas: [urn], Operations: [operation] },
    { schemas: [urn.toUpperCase()], Operations: [operation] },
    { schemas: [], Operations: [operation] },
    { schemas: urn, operations: [operation] },
    { Operations: [operation] },
  ])('accepts %j', (body) => {
    expect(parsePatchRequest(body)).toMatchObject([{ op: 'remove', path: { text: 'title' } }]);
  });

  it.each<[unknown]>([
    [undefined],
    [null],
    [[]],
    ['text'],
    [{}],
    [{ Operations: [] }],
    [{ Operations: operation }],
    [{ Operations: ['x'] }],
    [{ schemas: ['urn:x'], Operations: [operation] }],
  ])('refuses %j', (body) => {
    expect(() => parsePatchRequest(body)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidSyntax' }),
    );
  });

  it('refuses more operations than are allowed', () => {
    const body = { Operations: Array(3).fill(operation) };
    expect(() => parsePatchRequest(body, { operationsMax: 2 })).toThrow(
      expect.objectContaining({ status: 413 }),
    );
  });
});
