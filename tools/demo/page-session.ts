import assert from 'node:assert/strict';
import { fillIn, readForm } from './html-form.js';
import { type JsonResponse, send } from './http.js';

type Page = JsonResponse<unknown>;

/** The pages behind an address that opens once, without script as a browser shows them. */
export class PageSession {
  private constructor(
    private readonly base: string,
    private readonly cookie: string,
  ) {}

  /** Presses the button of the first page. */
  static async open(address: string): Promise<PageSession> {
    const first = await send('GET', address);
    assert.match(first.text, /<form/);
    const base = address.slice(0, address.lastIndexOf('/'));
    const opened = await send('POST', address, {
      headers: { cookie: cookieOf(first), origin: new URL(address).origin },
      form: new URLSearchParams(),
      expect: 303,
    });
    return new PageSession(base, cookieOf(opened));
  }

  get(path: string, expect = 200): Promise<Page> {
    return send('GET', this.base + path, { headers: { cookie: this.cookie }, expect });
  }

  /** Fills in the form of a page. */
  async submit(path: string, fields: Record<string, string>): Promise<Page> {
    return this.submitForm((await this.get(path)).text, fields);
  }

  submitForm(page: string, fields: Record<string, string>): Promise<Page> {
    const { action, controls } = readForm(page);
    const form = fillIn(controls, { type: {}, check: [] });
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const url = new URL(action, this.base);
    const headers = { cookie: this.cookie, origin: url.origin };
    return send('POST', url, { headers, form, expect: [200, 303] });
  }
}

function cookieOf({ headers }: Page): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}
