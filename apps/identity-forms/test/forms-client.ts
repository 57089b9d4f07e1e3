import { type Answer, type AnswerChecks, HttpClient, type TestStack } from '@gatehouse/testing';

export const ADMIN_KEY = 'e2e-admin-key-0123456789abcdef';
export const JSON_ACCEPT = { accept: 'application/json' };
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface OpenFlow {
  path: string;
  cookie: string;
  token: string;
  html: string;
}

/** Sends the requests of administrators and browsers to identity-forms. */
export class FormsClient extends HttpClient {
  constructor(
    url: string,
    private readonly stack: { checks: AnswerChecks; secrets: TestStack['secrets'] },
  ) {
    super(url, stack.checks);
  }

  /** As an administrator; an object as body goes as JSON. */
  admin(method: string, path: string, body?: object | string, headers = {}): Promise<Answer> {
    return this.send(method, path, {
      headers: { authorization: `Bearer ${ADMIN_KEY}`, ...headers },
      ...(typeof body === 'object' ? { json: body } : { body }),
    });
  }

  /** Registers a schema whose traits have these properties. */
  async schema(id: string, traits: object, members: object = {}): Promise<void> {
    const { status, text } = await this.admin('POST', '/v1/schemas', {
      id,
      schema: schemaOf(traits),
      ...members,
    });
    if (status !== 201) throw new Error(`schema ${id}: ${status} ${text}`);
  }

  /** Decodes a urlencoded body. */
  decode(id: string, form: string, query = ''): Promise<Answer> {
    return this.admin('POST', `/v1/schemas/${id}/decode${query}`, form, FORM);
  }

  /** Decodes a multipart body: fields that a browser writes, or text as it stands. */
  decodeMultipart(id: string, body: [string, string | Blob][] | string): Promise<Answer> {
    const path = `/v1/schemas/${id}/decode`;
    if (typeof body === 'string') {
      return this.admin('POST', path, body, { 'content-type': 'multipart/form-data; boundary=B' });
    }
    const form = new FormData();
    for (const [name, value] of body) form.append(name, value);
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    return this.send('POST', path, { headers, body: form });
  }

  async startFlow(request: object): Promise<string> {
    const answer = await this.admin('POST', '/v1/flows', request);
    if (answer.status !== 201) throw new Error(`flow: ${answer.status} ${answer.text}`);
    const path = new URL(answer.body.url as string).pathname;
    this.stack.secrets.add(path.slice('/flows/'.length));
    return path;
  }

  /** Opens a flow's page as a browser would, keeping its cookie and token. */
  async open(path: string, headers: Record<string, string> = {}): Promise<OpenFlow> {
    const page = await this.send('GET', path, { headers: { accept: 'text/html', ...headers } });
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? headers.cookie ?? '';
    const token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    this.stack.secrets.add(token);
    return { path, cookie, token, html: page.text };
  }

  /** Starts a flow and opens it. */
  async openNew(request: object): Promise<OpenFlow> {
    return this.open(await this.startFlow(request));
  }

  submit(
    { path, cookie, token }: OpenFlow,
    fields: Record<string, string> | [string, string][],
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const body = new URLSearchParams(fields);
    body.set('csrf_token', token);
    return this.send('POST', path, {
      headers: { accept: 'text/html', cookie, origin: this.url, ...headers },
      body,
    });
  }
}

/** One part of a multipart body with the boundary `B`; `--B--` ends the body. */
export function part(name: string, value: string): string {
  return `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

export function schemaOf(traits: object): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { traits: { type: 'object', ...traits } },
  };
}
