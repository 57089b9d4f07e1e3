/** A browser without scripts, which follows redirects between the console and the provider. */
import assert from 'node:assert/strict';

export interface Shown {
  readonly status: number;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly headers: Headers;
}

export class ConsoleClient {
  /** By the host, as name and value. */
  readonly cookies = new Map<string, Map<string, string>>();
  /** The `Set-Cookie` headers of the console. */
  readonly set: string[] = [];

  /**
   * @param origin of the console as browsers know it
   * @param replicas the processes behind it, which take turns
   */
  constructor(
    private readonly origin: string,
    private readonly replicas: readonly string[],
  ) {}

  private turns = 0;

  /** Follows redirects until a page, or until `stopAt` begins the address. */
  async open(address: string, stopAt?: string): Promise<Shown> {
    let url = new URL(address, this.origin);
    for (let hops = 0; hops < 12; hops += 1) {
      const { status, headers, text } = await this.send('GET', url.href);
      const location = headers.get('location');
      if (location === null) return shown(status, url, text, headers);
      url = new URL(location, url);
      if (stopAt && url.href.startsWith(stopAt)) return shown(status, url, '', headers);
    }
    assert.fail(`too many redirects, the last to ${url.href}`);
  }

  /** Submits the form of a page. */
  async submit(from: string, path: string, form: Record<string, string> = {}): Promise<Shown> {
    const { text } = await this.open(from);
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return this.post(path, { csrf_token, ...form });
  }

  async post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = { origin: this.origin },
  ): Promise<Shown> {
    const answer = await this.send('POST', this.origin + path, form, headers);
    const location = answer.headers.get('location') ?? path;
    return shown(answer.status, new URL(location, this.origin), answer.text, answer.headers);
  }

  private async send(
    method: string,
    address: string,
    form?: Record<string, string>,
    more: Record<string, string> = {},
  ) {
    const url = new URL(address);
    const isOfConsole = url.origin === this.origin;
    const jar = this.cookies.get(url.host) ?? new Map<string, string>();
    this.cookies.set(url.host, jar);
    const replica = this.replicas[(this.turns += 1) % this.replicas.length] ?? '';
    const target = isOfConsole ? replica + url.pathname + url.search : address;
    const response = await fetch(target, {
      method,
      redirect: 'manual',
      headers: {
        connection: 'close',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...more,
      },
      body: form && new URLSearchParams(form),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      if (isOfConsole) this.set.push(line);
      if (/; *max-age=0/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

function shown(status: number, url: URL, text: string, headers: Headers): Shown {
  const title = /<h1[^>]*>(?:<bdi>)?([^<]*)/.exec(text)?.[1] ?? '';
  return { status, url: url.href, title, text, headers };
}
