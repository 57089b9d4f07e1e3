// Processes of directory sync on stores of their own, and what tests say to them over HTTP.
import { openTestStack, type ServiceProcess, type TestStack } from '@gatehouse/testing';

export const API_KEY = 'an-api-key-of-the-tests-0123456789';

/** A JSON answer as tests read it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export type Stand = TestStack;

/** A stand whose processes have the usual settings beside or under those that a test gives. */
export async function openStand(): Promise<Stand> {
  const stand = await openTestStack('dsync-api');
  return {
    ...stand,
    start: (app, environment = {}) =>
      stand.start(app, {
        ENCRYPTION_KEYS: 'encryption-key-of-the-tests-0123456789',
        API_KEYS: API_KEY,
        EXTERNAL_URL: 'https://sync.example.com',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        ...environment,
      }),
  };
}

/** Sends a request with a JSON body, or with a text as it is. */
export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Sends a management request. */
export function manage(
  service: ServiceProcess,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const authorization = `Api-Key ${API_KEY}`;
  return send(`${service.url}/api/v1/dsync${path}`, method, body, { authorization, ...headers });
}

export interface TestDirectory {
  id: string;
  secret: string;
  scim(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

/** Creates a directory over HTTP, and speaks to it as its identity provider. */
export async function newDirectory(
  service: ServiceProcess,
  input: object = {},
): Promise<TestDirectory> {
  const { status, body } = await manage(service, 'POST', '', {
    tenant: `tenant-${Math.random().toString(36).slice(2)}`,
    product: 'product',
    ...input,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { id, scim } = body.data;
  return {
    id,
    secret: scim.secret,
    scim: (method, path, content, headers = {}) =>
      send(service.url + scim.path + path, method, content, {
        authorization: `Bearer ${scim.secret}`,
        ...(content === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      }),
  };
}

export function user(userName: string, more: object = {}): object {
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, ...more };
}
