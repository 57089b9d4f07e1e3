/** Steps of people on setup pages. */
import { axe } from '@gatehouse/testing';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

export const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

export async function choose(page: Page, provider: string): Promise<void> {
  await press(page, 'Continue');
  await page.locator(`#provider-${provider}`).check();
  await press(page, 'Continue');
}

/** How many pixels the page is wider than its window. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Fails the test if a page is not accessible, or wider than a window. */
export async function check(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([]);
  for (const width of [320, 768]) expect(await overflowAt(page, width)).toBe(0);
}

/** Opens an address in a new browser; fails the test if the policy of a page blocks anything. */
export async function visitWith(
  browser: Browser,
  address: string,
  act: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/i.test(message.text())) complaints.push(message.text());
  });
  try {
    await page.goto(address);
    await act(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}
