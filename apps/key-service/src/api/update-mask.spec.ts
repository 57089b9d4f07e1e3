import * as fc from 'fast-check';
import { parseUpdateMask } from './update-mask.js';

const MUTABLE_FIELDS = ['name', 'scopes', 'rate_limit_policy', 'logs_attempts_of_all'] as const;

const refused = { kind: 'invalid_argument' };

describe('parseUpdateMask', () => {
  it('reads any mutable fields in any spelling and order', () => {
    const camel = (name: string) => name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
    const field = fc.constantFrom(...MUTABLE_FIELDS);
    fc.assert(
      fc.property(fc.array(fc.tuple(field, fc.boolean()), { minLength: 1 }), (fields) => {
        const mask = fields.map(([name, isCamel]) => (isCamel ? camel(name) : name)).join(',');
        expect(parseUpdateMask(mask, MUTABLE_FIELDS)).toEqual(
          new Set(fields.map(([name]) => name)),
        );
      }),
    );
  });

  it('refuses everything else with a 400', () => {
    fc.assert(
      fc.property(fc.string(), (mask) => {
        fc.pre(mask !== '' && mask.trim() !== '*');
        fc.pre(!(MUTABLE_FIELDS as readonly string[]).includes(mask.trim()));
        expect(() => parseUpdateMask(mask, MUTABLE_FIELDS)).toThrow(
          expect.objectContaining(refused),
        );
      }),
    );
  });

  it('reads * as all mutable fields, and nothing as no mask', () => {
    expect(parseUpdateMask('*', MUTABLE_FIELDS)).toEqual(new Set(MUTABLE_FIELDS));
    expect([
      parseUpdateMask('', MUTABLE_FIELDS),
      parseUpdateMask(undefined, MUTABLE_FIELDS),
    ]).toEqual([undefined, undefined]);
  });
});
