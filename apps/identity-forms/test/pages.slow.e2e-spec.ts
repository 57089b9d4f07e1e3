import { fillIn, send, Visits } from './visits.js';

describe('pages in Chromium', () => {
  let visits: Visits;

  beforeAll(async () => {
    visits = await Visits.start();
  });

  afterAll(() => visits?.close());

  describe.each([true, false])('with script %s', (javaScriptEnabled) => {
    const options = { javaScriptEnabled };

    it('an unticked box is false and a ticked one is true', async () => {
      for (const isChecked of [false, true]) {
        const email = visits.address();
        await visits.signUp(async (page) => {
          await fillIn(page, email);
          await page.getByLabel('Age (optional)').fill('36');
          await page.getByLabel('Send me the monthly newsletter').setChecked(isChecked);
          await send(page);
          await page.waitForURL('**/done');
          expect(await page.locator('h1').textContent()).toBe('Your account is ready');
        }, options);
        const { traits } = await visits.stored(email);
        expect(traits).toEqual({ name: 'Ada Lovelace', email, age: 36, newsletter: isChecked });
      }
    });

    it('buttons add and remove rows and keep the input', async () => {
      const email = visits.address();
      await visits.signUp(async (page) => {
        await fillIn(page, email);
        const number = (row: number) => page.locator(`[name="traits.phones.${row}.number"]`);
        await page.getByRole('button', { name: 'Add phone number' }).click();
        await number(0).fill('+44 20 7946 0958');
        for (const row of [1, 2]) {
          await page.getByRole('button', { name: 'Add another phone number' }).click();
          await number(row).fill(`+44 20 7946 096${row}`);
        }
        await page.getByRole('radio', { name: 'Work' }).nth(1).check();
        await page.locator('[name="traits.interests.0"]').fill('chess');
        await page.getByRole('button', { name: 'Add another interest' }).click();
        await page.locator('[name="traits.interests.1"]').fill('pottery');
        await page.getByRole('button', { name: 'Remove Phone number 1' }).click();
        await page.getByRole('button', { name: 'Remove Interest 1' }).click();
        expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace');
        expect(await number(1).inputValue()).toBe('+44 20 7946 0961');
        expect(await number(0).count()).toBe(0);
        await send(page);
        await page.waitForURL('**/done');
      }, options);
      const { traits } = await visits.stored(email);
      expect(traits).toMatchObject({
        interests: ['pottery'],
        phones: [{ kind: 'work', number: '+44 20 7946 0961' }, { number: '+44 20 7946 0962' }],
      });
    });

    it('errors appear in a summary with links and at their fields, and all input is kept', async () => {
      await visits.signUp(async (page) => {
        await page.getByLabel('E-mail address').fill('not an address');
        await page.getByLabel('Age (optional)').fill('7');
        await page.getByLabel('Street and number').fill('1 High Street');
        await page.getByLabel('Send me the monthly newsletter').check();
        await send(page);
        expect(await page.title()).toMatch(/^Error: /);
        const summary = page.getByRole('alert');
        const links = summary.getByRole('link');
        expect(await links.count()).toBe(4);
        for (const field of ['name', 'email', 'age', 'address.city']) {
          const input = page.locator(`[name="traits.${field}"]`);
          expect(await input.getAttribute('aria-invalid')).toBe('true');
          const described = (await input.getAttribute('aria-describedby')) ?? '';
          const fault = page.locator(`[id="${described.split(' ').at(-1)}"]`);
          const message = ((await fault.textContent()) ?? '').replace('Error: ', '');
          const link = summary.locator(`[href="#traits.${field}"]`);
          // At the field the message does not repeat the label.
          expect((await link.textContent())?.toLowerCase()).toMatch(/^“.+” .+/);
          expect((await link.textContent())?.toLowerCase()).toContain(` ${message.toLowerCase()}`);
          expect(message).not.toContain('“');
          await link.click();
          await page.waitForSelector(`[name="traits.${field}"]:focus`);
        }
        expect(await page.getByLabel('E-mail address').inputValue()).toBe('not an address');
        expect(await page.getByLabel('Age (optional)').inputValue()).toBe('7');
        expect(await page.getByLabel('Send me the monthly newsletter').isChecked()).toBe(true);
      }, options);
    });
  });

  it('the focus moves to the next thing to read', async () => {
    await visits.signUp(async (page) => {
      await send(page);
      await page.waitForSelector('.faults:focus');
      await page.getByRole('button', { name: 'Add phone number' }).click();
      await page.waitForSelector('[name="traits.phones.0.kind"]:focus');
      await page.getByRole('button', { name: 'Remove Phone number 1' }).click();
      await page.waitForSelector('[value="add:traits.phones"]:focus');
    });
  });

  it('a profile shows the stored traits and keeps those that the form does not show', async () => {
    await visits.forms.schema('account', {
      properties: {
        email: { type: 'string', title: 'E-mail' },
        news: { type: 'boolean', title: 'News' },
        plan: { type: 'string', title: 'Plan', readOnly: true },
        address: {
          type: 'object',
          properties: {
            city: { type: 'string', title: 'City' },
            checked: { type: 'string', 'x-immutable': true },
          },
        },
      },
      additionalProperties: true,
    });
    const email = visits.address();
    const flow = await visits.forms.openNew({ kind: 'sign-up', schema_id: 'account' });
    await visits.forms.submit(flow, { 'traits.email': email, 'traits.news': 'true' });
    const { id } = await visits.stored(email);
    const unseen = { plan: 'gold', address: { checked: 'by post' }, origin: 'import' };
    await visits.forms.admin('PATCH', `/v1/identities/${id}`, {
      traits: { ...unseen, address: { ...unseen.address, city: 'London' } },
    });
    await visits.visit(
      await visits.forms.startFlow({ kind: 'profile', identity_id: id }),
      async (page) => {
        expect(await page.locator('h1').textContent()).toBe('Your profile');
        expect(await page.getByLabel('City').inputValue()).toBe('London');
        expect(await page.getByLabel('News').isChecked()).toBe(true);
        await page.getByLabel('City').fill('');
        await page.getByLabel('News').uncheck();
        await send(page);
        await page.waitForURL('**/done');
      },
    );
    expect((await visits.stored(email)).traits).toEqual({ ...unseen, email, news: false });
  });

  it('a form on another site cannot submit the flow', async () => {
    const path = await visits.forms.startFlow({ kind: 'sign-up', schema_id: 'example' });
    const email = visits.address();
    await visits.visit(path, async (page) => {
      const token = await page.locator('[name="csrf_token"]').inputValue();
      // "localhost" is another site than "127.0.0.1", and the browser says so.
      await page.route('http://localhost/**', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<form method="post" action="${visits.forms.url}${path}">
            <input name="csrf_token" value="${token}"><input name="traits.name" value="Mallory">
            <input name="traits.email" value="${email}"><button>go</button></form>`,
        }),
      );
      await page.goto('http://localhost/');
      await page.getByRole('button').click();
      expect(await page.locator('h1').textContent()).toContain('could not check');
    });
    const rows = await visits.stack.database.query(
      "SELECT 1 FROM forms.identities WHERE traits->>'email' = $1",
      [email],
    );
    expect(rows).toEqual([]);
  });

  it('pressing the button twice creates one identity', async () => {
    const email = visits.address();
    await visits.signUp(async (page) => {
      await fillIn(page, email);
      await page.locator('button.primary').dblclick();
      await page.waitForSelector('main.notice');
    });
    await visits.stored(email);
  });
});
