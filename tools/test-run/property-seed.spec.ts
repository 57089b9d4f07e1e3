import fc from 'fast-check';

describe('the samples of property tests', () => {
  it('are the same in every run of a seed', () => {
    const { seed } = fc.readConfigureGlobal();
    expect(seed).toBeGreaterThanOrEqual(0);
    expect(fc.sample(fc.integer(), 5)).toEqual(fc.sample(fc.integer(), { seed, numRuns: 5 }));
  });
});
