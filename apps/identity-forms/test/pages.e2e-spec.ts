/** One journey through a page of a form in Chromium; pages.slow.e2e-spec.ts has the others. */
import { Visits } from './visits.js';

let visits: Visits;

beforeAll(async () => {
  visits = await Visits.start();
});

afterAll(() => visits?.close());

it('the keyboard is enough, and Enter submits the form instead of pressing a row button', async () => {
  const email = visits.address();
  await visits.signUp(async (page) => {
    const { keyboard } = page;
    await keyboard.press('Tab');
    await keyboard.type('Ada Lovelace');
    await keyboard.press('Tab');
    await keyboard.type(email);
    await keyboard.press('Tab');
    await keyboard.type('36');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    for (const text of ['1 High Street', 'N1', 'London', 'chess']) {
      await keyboard.press('Tab');
      await keyboard.type(text);
    }
    await keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add another interest');
    await keyboard.press('Enter');
    await page.waitForSelector('[name="traits.interests.1"]:focus');
    await keyboard.type('pottery');
    await keyboard.press('Enter');
    await page.waitForURL('**/done');
  });
  const { traits } = await visits.stored(email);
  expect(traits).toEqual({
    name: 'Ada Lovelace',
    email,
    age: 36,
    newsletter: true,
    address: { street: '1 High Street', postcode: 'N1', city: 'London' },
    interests: ['chess', 'pottery'],
  });
});
