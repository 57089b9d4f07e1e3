/** The API reference on the admin surface of both layouts, and its page in Chromium. */
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import {
  axe,
  createTestDatabase,
  type HttpClient,
  launchBrowser,
  type TestDatabase,
} from '@gatehouse/testing';
import { type Browser, type Page } from 'playwright-core';
import { endpointsOf } from '../../../tools/reference/operations.js';
import { referenceDocument } from '../../../tools/reference/reference-document.js';
import { ADMIN_KEY, type Gate, type OpenGate, openSmall, openSplit } from './gate.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const SCRIPT_BYTES_MAX = 20_000;
const ENDPOINTS = endpointsOf(referenceDocument());

describe.each<[layout: string, open: OpenGate]>([
  ['small', openSmall],
  ['split', openSplit],
])('the reference of the %s layout', (_layout, open) => {
  let database: TestDatabase;
  let gate: Gate;
  let surface: HttpClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    gate = await open(database);
    surface = gate.adminSurface;
  });
  afterAll(async () => {
    await gate.close();
    await database.drop();
  });

  const get = async (path: string) => {
    const { status, headers, text } = await surface.send('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return { headers, text };
  };

  it('is one page and its own files, with little script', async () => {
    const { headers, text } = await get('/docs');
    expect(headers.get('content-security-policy')).toBe(POLICY);
    expect(text).not.toMatch(/<style|<script>|<[^>]+ (?:style|on\w+|(?:src|href)="[^"]*:)/);
    const files = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file);
    for (const file of new Set(files)) await get(`/${file}`);
    const scripts = files.filter((file) => file?.endsWith('.js'));
    expect(scripts).toEqual(['docs/reference.js']);
    expect((await get('/docs/reference.js')).text.length).toBeLessThan(SCRIPT_BYTES_MAX);
    for (const { operation } of ENDPOINTS) expect(text).toContain(`id="${operation.operationId}"`);
  });

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await get('/docs');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const { status, text } = await surface.send('GET', '/docs', { headers: known });
    expect([status, text]).toEqual([304, '']);
    const plain = await surface.send('GET', '/docs', {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.text).toBe((await get('/docs')).text);
  });

  it('has the merged document, where it says what serves each operation', async () => {
    const { paths } = JSON.parse((await get('/openapi.json')).text);
    expect(paths).toEqual(referenceDocument().paths);
  });

  it('lists all pages in llms.txt, and each link in them leads to a page', async () => {
    const { text: list } = await get('/llms.txt');
    const listed = [...list.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = '']) => path);
    const pages = readdirSync(join(workspace, 'docs'), { recursive: true, encoding: 'utf8' });
    expect(listed).toEqual(
      expect.arrayContaining(
        pages.filter((page) => page.endsWith('.md')).map((page) => `/docs/${page}`),
      ),
    );
    const dead: string[] = [];
    for (const path of listed) {
      const { text } = await get(path);
      for (const [, link = ''] of text.matchAll(/\]\(((?!\w+:)[^)#\s]+\.md)/g)) {
        const target = posix.join(posix.dirname(path), link);
        if (!listed.includes(target)) dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  it.each(['/docs/none.md', '/docs/index.html.gz', '/docs/', '/docs/%61/..%2fpackage.json'])(
    'has nothing at %s',
    async (path) => {
      const { status } = await surface.send('GET', path);
      expect([400, 404]).toContain(status);
    },
  );
});

describe('the page', () => {
  let database: TestDatabase;
  let gate: Gate;
  let browser: Browser;

  beforeAll(async () => {
    database = await createTestDatabase();
    gate = await openSmall(database);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gate.close();
    await database.drop();
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${gate.adminSurface.url}/docs`);
    return page;
  }
  const complaints: string[] = [];
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  it('can be read without its script', async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    await page.locator('nav summary', { hasText: /^Keys$/ }).click();
    await page.getByRole('link', { name: 'POST Issue a key' }).click();
    expect(await page.locator('#keysIssue .samples pre').first().isVisible()).toBe(true);
  });

  it('finds an operation by words, from the keyboard', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('SCIMTOKENS create');
    const found = page.locator('nav details[open] a:visible');
    expect(await found.allTextContents()).toEqual(['POST Create a SCIM token']);
    expect(await page.getByRole('status').first().textContent()).toBe('1 operation');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#directoriesScimTokensCreate');
    await page.getByRole('searchbox').fill('');
    expect(await page.locator('nav details a').count()).toBe(ENDPOINTS.length);
  });

  it('sends the example of an operation, and the next one with the id of the response', async () => {
    const page = await open();
    const issue = page.locator('#keysIssue');
    await issue.getByRole('button', { name: 'Try it' }).click();
    await issue.getByLabel('GATEHOUSE_KEY').fill(ADMIN_KEY);
    await issue.getByRole('button', { name: 'Send' }).click();
    await issue.getByText('201 Created').waitFor();
    const issued = JSON.parse((await issue.locator('output > pre').textContent()) ?? '');
    const read = page.locator('#keysGet');
    await read.getByRole('button', { name: 'Try it' }).click();
    expect(await read.getByLabel('key_id').inputValue()).toBe(issued.issued_api_key.key_id);
    await read.getByRole('button', { name: 'Send' }).click();
    await read.getByText('200 OK').waitFor();
    await page.reload();
    await issue.getByRole('button', { name: 'Try it' }).click();
    expect(await issue.getByLabel('GATEHOUSE_KEY').inputValue()).toBe('');
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'has no fault that axe-core finds in %s, and fits 320 px',
    async (colorScheme) => {
      const page = await open({ colorScheme });
      await page.locator('#keysIssue').getByRole('button', { name: 'Try it' }).click();
      expect(await axe(page)).toEqual([]);
      for (const width of [320, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        const overflow =
          'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect([width, await page.evaluate(overflow)]).toEqual([width, 0]);
      }
    },
  );
});
