import { UnknownVariable, Variables } from './variables.mjs';

describe('Variables', () => {
  it('makes a word of lower-case letters that is new each time', () => {
    const words = [new Variables(), new Variables()].map((each) => each.fill('{{uniq}}'));
    expect(words[0]).toMatch(/^[a-z]{8,}$/);
    expect(words[0]).not.toBe(words[1]);
  });

  it('fills texts, names and nested values, and leaves the rest as it is', () => {
    const variables = new Variables({ a: '1', base: 'http://h' });
    expect(variables.fill({ '{{a}}': ['x{{a}}y', 2, null, { z: '{{base}}/{{a}}' }] })).toEqual({
      '1': ['x1y', 2, null, { z: 'http://h/1' }],
    });
  });

  it('keeps a name such as __proto__ a name', () => {
    const filled = new Variables().fill(JSON.parse('{"__proto__":{"x":1}}') as never);
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"x":1}}');
  });

  it('lets values refer to each other', () => {
    const variables = new Variables({ token: 't', auth: 'Bearer {{token}}' });
    expect(variables.fill('{{auth}}')).toBe('Bearer t');
  });

  it('flips the case of a value', () => {
    expect(new Variables({ id: 'aB-1' }).fill('{{id:flipcase}}')).toBe('Ab-1');
  });

  it('gives a new UUID at each place and an older watermark than now', () => {
    const variables = new Variables();
    const [first, second] = variables.fill(['{{uuid}}', '{{uuid}}']);
    expect(first).not.toBe(second);
    const [watermark, now] = variables.fill(['{{watermark}}', '{{now}}']).map(String);
    expect(Date.parse(watermark ?? '')).toBeLessThan(Date.parse(now ?? ''));
  });

  it('makes one operation more than the service takes', () => {
    const variables = new Variables();
    variables.set('spc', { bulk: { maxOperations: 2 } });
    const filled = variables.fill({
      Operations: '{{spc.bulk.maxOperations+1 copies of DELETE /Users/x}}',
    });
    expect(filled.Operations).toEqual(
      Array.from({ length: 3 }, () => ({ method: 'DELETE', path: '/Users/x' })),
    );
  });

  it('throws when nothing was captured, and after a capture that found nothing', () => {
    const variables = new Variables();
    expect(() => variables.fill('{{u}}')).toThrow(UnknownVariable);
    variables.set('u', '1');
    variables.set('u', undefined);
    expect(() => variables.fill('{{u}}')).toThrow('nothing was captured as u');
  });
});
