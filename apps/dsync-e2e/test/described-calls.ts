import { type Answer, type HttpClient, type Json } from '@gatehouse/testing';
import { API_KEY } from './sync-stack.js';

interface Request {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  secret?: string;
}

/** Calls operations by their path templates, and remembers which have succeeded. */
export class DescribedCalls {
  readonly succeeded = new Set<string>();

  constructor(
    private readonly http: HttpClient,
    private readonly document: Json,
  ) {}

  async call(
    method: string,
    template: string,
    { path = {}, query = {}, body, headers = {}, secret }: Request = {},
  ): Promise<Answer> {
    const operation = this.document.paths[template]?.[method.toLowerCase()];
    expect([template, method, operation === undefined]).toEqual([template, method, false]);
    const address = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : '';
    const authorization = secret === undefined ? `Api-Key ${API_KEY}` : `Bearer ${secret}`;
    const answer = await this.http.send(method, address + search, {
      ...(typeof body === 'string' ? { body } : { json: body }),
      headers: { ...jsonType(body), authorization, ...headers },
    });
    if (answer.status < 400) this.succeeded.add(`${method} ${template}`);
    return answer;
  }

  /** @returns the body of the response */
  async succeed(...request: Parameters<DescribedCalls['call']>): Promise<Json> {
    const answer = await this.call(...request);
    expect([request[0], request[1], answer.status < 400]).toEqual([request[0], request[1], true]);
    return answer.body;
  }

  /** The operations of the document that have not succeeded yet. */
  missing(): string[] {
    return Object.entries<object>(this.document.paths)
      .flatMap(([template, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${template}`),
      )
      .filter((each) => !this.succeeded.has(each));
  }
}

function jsonType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

/** Calls the operations of role mappings. */
export async function changeRoles(calls: DescribedCalls, directoryId: string): Promise<void> {
  const template = '/api/v1/dsync/{directoryId}/role-mappings';
  const path = { directoryId };
  const rules = [{ group: { display_name: 'Devs' }, role: 'developer', priority: 1 }];
  const body = { default_role: 'member', mode: 'highest', rules };
  await calls.succeed('POST', `${template}:preview`, { path, body });
  await calls.succeed('PUT', template, { path, body });
  await calls.succeed('GET', template, { path });
  await calls.succeed('DELETE', template, { path });
}

/** Calls the operations of key links. */
export async function changeKeyLink(calls: DescribedCalls): Promise<void> {
  const template = '/api/v1/dsync/key-links';
  const query = { tenant: 'acme', product: 'shop' };
  const body = { ...query, attribute: 'id', on_deactivate: 'pause', on_delete: 'revoke' };
  await calls.succeed('PUT', template, { body });
  await calls.succeed('GET', template, { query });
  await calls.succeed('DELETE', template, { query });
}

/** Calls the operations of setup links. */
export async function manageSetupLinks(
  calls: DescribedCalls,
  http: HttpClient,
  directoryId: string,
): Promise<void> {
  const template = '/api/v1/dsync/setup-links';
  const body = { directory_id: directoryId, locale: 'fr', allow: [] };
  const { data: link } = await calls.succeed('POST', template, { body });
  const path = { id: link.id as string };
  await http.send('POST', new URL(link.url as string).pathname, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await calls.succeed('GET', template, { query: { directory_id: directoryId } });
  await calls.succeed('GET', `${template}/{id}`, { path });
  await calls.succeed('POST', `${template}/{id}/end-session`, { path });
  await calls.succeed('DELETE', `${template}/{id}`, { path });
}
