import { axe } from '@gatehouse/testing';
import { fillIn, send, Visits } from './visits.js';

describe('accessibility of the pages', () => {
  let visits: Visits;

  beforeAll(async () => {
    visits = await Visits.start();
  });

  afterAll(() => visits?.close());

  it.each([
    ['de', 'Konto anlegen', 'Fehler:'],
    ['fr', 'Create your account', 'Erreur :'],
    ['es', 'Create your account', 'Error:'],
  ])('are in %s', async (locale, heading, prefix) => {
    await visits.signUp(
      async (page) => {
        expect(await page.locator('html').getAttribute('lang')).toBe(locale);
        expect(await page.locator('h1').textContent()).toBe(heading);
        await send(page);
        expect(await page.title()).toMatch(new RegExp(`^${prefix} `));
      },
      { locale },
    );
  });

  describe('axe-core finds nothing', () => {
    it.each(['light', 'dark'] as const)('in %s colors', async (colorScheme) => {
      await visits.signUp(
        async (page) => {
          expect(await axe(page)).toEqual([]);
          await page.getByRole('button', { name: 'Add phone number' }).click();
          expect(await axe(page)).toEqual([]);
          await page.locator('[name="traits.phones.0.number"]').fill('x');
          await send(page);
          await page.waitForSelector('.faults');
          expect(await axe(page)).toEqual([]);
          await fillIn(page, visits.address());
          await page.locator('[name="traits.phones.0.number"]').fill('+44 20 7946 0958');
          await send(page);
          await page.waitForURL('**/done');
          expect(await axe(page)).toEqual([]);
          await page.goto(`${visits.forms.url}/flows/nothing`);
          expect(await axe(page)).toEqual([]);
        },
        { colorScheme },
      );
    });
  });

  it.each(['ltr', 'rtl'])('fit from 320 px to wide screens, %s', async (direction) => {
    await visits.signUp(async (page) => {
      await page.getByRole('button', { name: 'Add phone number' }).click();
      await send(page);
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      for (const width of [320, 375, 768, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect({ width, overflow }).toEqual({ width, overflow: 0 });
      }
    });
  });

  it('are no wider than 320 px, however long a word is', async () => {
    const word = 'x'.repeat(200);
    const text = { type: 'string', title: word, description: word };
    await visits.forms.schema(
      'long-words',
      {
        title: word,
        description: word,
        properties: {
          text,
          when: { ...text, format: 'date-time' },
          choice: { ...text, enum: [word, 'b'] },
          many: { ...text, enum: [word, ...'abcdef'] },
          tick: { ...text, type: 'boolean' },
          ticks: { ...text, type: 'array', items: { enum: [word, 'b'] } },
          group: { ...text, type: 'object', properties: { [word]: text } },
          list: { ...text, type: 'array', minItems: 1, items: { type: 'string', title: word } },
          rows: {
            ...text,
            type: 'array',
            minItems: 2,
            items: { type: 'object', title: word, properties: { text, choice: text } },
          },
        },
      },
      { public: true },
    );
    await visits.visit(
      '/sign-up?schema=long-words',
      async (page) => {
        for (const act of [() => undefined, () => send(page)]) {
          await act();
          const wide = await page.evaluate<string[]>(
            `[...document.querySelectorAll('body, body *')]
               .filter((each) => each.getBoundingClientRect().right > 320
                 && !each.closest('.hidden, .first-button'))
               .map((each) => each.outerHTML.slice(0, 60))`,
          );
          expect(wide).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
        }
      },
      { viewport: { width: 320, height: 900 } },
    );
  });

  describe('in the colors of a customer', () => {
    const theme = {
      name: 'Acme',
      accent: '#c2410c',
      terms: 'https://example.com/terms',
      privacy: 'https://example.com/privacy',
      sign_in: 'https://example.com/sign-in',
      home: 'https://example.com/',
    };

    beforeAll(async () => {
      const { body } = await visits.forms.admin('GET', '/v1/schemas/example');
      const schema = { ...body.schema, 'x-theme': theme };
      const made = { id: 'themed', schema, public: true };
      const { status } = await visits.forms.admin('POST', '/v1/schemas', made);
      expect(status).toBe(201);
    });

    it.each(['light', 'dark'] as const)(
      'axe-core finds nothing, and 320 px are enough: %s',
      async (colorScheme) => {
        await visits.visit(
          '/sign-up?schema=themed',
          async (page) => {
            await page.getByRole('button', { name: 'Add phone number' }).click();
            expect(await page.getByText('Acme').count()).toBe(1);
            expect(await axe(page)).toEqual([]);
            await page.locator('[name="traits.phones.0.number"]').fill('x');
            await send(page);
            expect(await axe(page)).toEqual([]);
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
            await page.locator('[name="traits.phones.0.number"]').fill('+44 20 7946 0958');
            await fillIn(page, visits.address());
            await send(page);
            await page.waitForURL('**/done');
            expect(await page.getByRole('link', { name: 'Continue' }).count()).toBe(1);
            expect(await axe(page)).toEqual([]);
          },
          { colorScheme, viewport: { width: 320, height: 900 } },
        );
      },
    );
  });

  it('show every kind of field', async () => {
    await visits.forms.schema(
      'all-kinds',
      {
        required: ['color'],
        properties: {
          site: { type: 'string', format: 'uri', title: 'Site' },
          tel: { type: 'string', format: 'tel', title: 'Phone' },
          born: { type: 'string', format: 'date', title: 'Born' },
          meet: { type: 'string', format: 'date-time', title: 'Meet' },
          wake: { type: 'string', format: 'time', title: 'Wake' },
          ratio: { type: 'number', title: 'Ratio', minimum: 0, maximum: 1, multipleOf: 0.25 },
          about: { type: 'string', title: 'About', maxLength: 500 },
          color: { type: 'string', title: 'Color', enum: ['red', 'green', 'blue'] },
          country: { type: 'string', title: 'Country', enum: 'ABCDEFGH'.split('') },
          days: {
            type: 'array',
            title: 'Days',
            items: { type: 'string', enum: ['Mo', 'Tu', 'We'] },
          },
        },
      },
      { public: true },
    );
    await visits.visit('/sign-up?schema=all-kinds', async (page) => {
      const type = (name: string) =>
        page.locator(`[name="traits.${name}"]`).last().getAttribute('type');
      expect(await type('site')).toBe('url');
      expect(await type('tel')).toBe('tel');
      expect(await type('ratio')).toBe('number');
      await page.getByLabel('Born').fill('1815-12-10');
      await page.getByLabel('Meet').fill('2026-11-20T10:30');
      await page.getByLabel('Wake').fill('07:15');
      await page.getByLabel('Ratio').fill('0.75');
      await page.locator('textarea').fill('\nfirst line blank\r\nthen & <b>more</b>');
      await page.getByLabel('green').check();
      await page.getByLabel('Country').selectOption('C');
      await page.getByLabel('Mo').check();
      await page.getByLabel('We').check();
      expect(await axe(page)).toEqual([]);
      await page.getByLabel('Site').fill('nonsense');
      await send(page);
      expect(await page.getByRole('alert').getByRole('link').count()).toBe(1);
      expect(await page.locator('textarea').inputValue()).toBe(
        '\nfirst line blank\nthen & <b>more</b>',
      );
      expect(await page.getByLabel('Meet').inputValue()).toBe('2026-11-20T10:30');
      await page.getByLabel('Site').fill('https://example.com/');
      await send(page);
      await page.waitForURL('**/done');
    });
    const { body } = await visits.forms.admin('GET', '/v1/identities?schema_id=all-kinds');
    expect(body.identities[0].traits).toEqual({
      site: 'https://example.com/',
      born: '1815-12-10',
      meet: '2026-11-20T10:30:00Z',
      wake: expect.stringMatching(/^07:15:00/),
      ratio: 0.75,
      about: '\nfirst line blank\nthen & <b>more</b>',
      color: 'green',
      country: 'C',
      days: ['Mo', 'We'],
    });
  });
});
