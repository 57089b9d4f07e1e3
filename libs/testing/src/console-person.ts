/** A person at the console in a browser. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { axe } from './axe.js';

interface DOMSizes {
  scrollWidth: number;
  clientWidth: number;
}

/** A person at the console, whose clicks are counted. */
export class ConsolePerson {
  clicks = 0;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly adminKey: string,
  ) {}

  /**
   * Opens a browser window of their own.
   * @param options such as scripts that are turned off
   */
  static async open(
    browser: Browser,
    { adminUrl, adminKey }: { adminUrl: string; adminKey: string },
    options?: BrowserContextOptions,
  ): Promise<ConsolePerson> {
    const context = await browser.newContext({ baseURL: adminUrl, ...options });
    return new ConsolePerson(context, await context.newPage(), adminKey);
  }

  /** Signs in with a key. */
  async signIn(key = this.adminKey): Promise<void> {
    await this.page.goto('/console');
    await this.page.getByLabel('Administrator key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('link', { name: 'Sign out' }).waitFor();
  }

  /** Starts a job at the first page. */
  async start(): Promise<void> {
    await this.page.goto('/console/');
    this.clicks = 0;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`/console${path}`);
  }

  /** Follows a link, or presses a button. */
  async press(name: string | RegExp, within = this.page.locator('body')): Promise<void> {
    const link = within.getByRole('link', { name });
    const button = within.getByRole('button', { name });
    this.clicks += 1;
    await link.or(button).first().click();
    await this.page.waitForLoadState();
  }

  /** Searches for a text from the head of any page, which counts as a click. */
  async search(text: string): Promise<void> {
    this.clicks += 1;
    await this.page.getByRole('searchbox').fill(text);
    await this.page.getByRole('searchbox').press('Enter');
    await this.page.waitForLoadState();
  }

  /** Fills in a field of the page and sends its form, which counts as a click. */
  async enter(label: string, text: string): Promise<void> {
    this.clicks += 1;
    const field = this.page.getByRole('main').getByLabel(label, { exact: true });
    await field.fill(text);
    await field.press('Enter');
    await this.page.waitForLoadState();
  }

  /** Sends the form before this page again, which does nothing. @returns where the page leads to */
  async sendAgain(): Promise<string | null> {
    await this.page.reload();
    return this.page.getByRole('link', { name: 'See whether it was done' }).getAttribute('href');
  }

  /** The part of the page below a heading. */
  section(name: string): Locator {
    const heading = this.page.getByRole('heading', { name });
    return this.page.locator('section', { has: heading });
  }

  get title(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText();
  }

  /** What keeps people out of the page: faults that axe finds, and a page that is wider than its window. */
  async faults(): Promise<unknown[]> {
    const found: unknown[] = await axe(this.page);
    const { scrollWidth, clientWidth } = await this.page.evaluate<DOMSizes>(
      '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
    );
    if (scrollWidth > clientWidth) found.push(`${scrollWidth} wide in ${clientWidth}`);
    return found;
  }

  /** The same on a wide and on a narrow window. */
  async faultsOfWidths(): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const width of [320, 1280]) {
      await this.page.setViewportSize({ width, height: 800 });
      const faults = await this.faults();
      if (faults.length > 0) found.push({ url: this.page.url(), width, faults });
    }
    return found;
  }
}
