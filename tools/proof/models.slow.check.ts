import { check, MODELS } from './model.mjs';

/** `npm run proof` takes 5,000. */
const WALKS = 150;

describe.each(MODELS)('the model of $file', ({ file, witnesses, faulty }) => {
  it('keeps its invariants', async () => {
    const { isSafe, output } = await check(file, 'design', WALKS, witnesses);
    expect({ isSafe, output }).toMatchObject({ isSafe: true });
  });

  it.each(faulty)('finds the fault in %s', async (variant) => {
    expect(await check(file, variant, WALKS)).toMatchObject({ isSafe: false });
  });
});
