/** A service with the example schema, and visits to its pages in Chromium. */
import { launchBrowser } from '@gatehouse/testing';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

type Act = (page: Page) => Promise<void>;

interface StoredIdentity {
  id: string;
  traits: Record<string, unknown>;
}

export class Visits {
  private serial = 0;

  private constructor(
    readonly stack: FormsStack,
    readonly forms: FormsClient,
    readonly browser: Browser,
  ) {}

  static async start(): Promise<Visits> {
    const stack = await openFormsStack();
    const { client } = await stack.start({ EXAMPLE_SCHEMA: 'true' });
    return new Visits(stack, client, await launchBrowser());
  }

  /** Opens a path in a new browser context; fails the test if content is blocked. */
  async visit(path: string, act: Act, options: BrowserContextOptions = {}): Promise<void> {
    const locale = options.locale ?? 'en-GB';
    const context = await this.browser.newContext({ ...options, locale });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/i.test(message.text())) complaints.push(message.text());
    });
    try {
      await page.goto(this.forms.url + path);
      await act(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  signUp(act: Act, options?: BrowserContextOptions): Promise<void> {
    return this.visit('/sign-up?schema=example', act, options);
  }

  /** An unused e-mail address. */
  address(): string {
    this.serial += 1;
    return `reader${this.serial}@example.com`;
  }

  /** The only identity with an e-mail address. */
  async stored(email: string): Promise<StoredIdentity> {
    const rows = await this.stack.database.query<StoredIdentity>(
      "SELECT id, traits FROM forms.identities WHERE traits->>'email' = $1",
      [email],
    );
    const [identity] = rows;
    if (!identity || rows.length > 1) throw new Error(`${rows.length} identities have ${email}`);
    return identity;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stack.close();
  }
}

/** Fills in the required fields of the example schema. */
export async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill(email);
}

export function send(page: Page): Promise<void> {
  return page.locator('button.primary').click();
}
