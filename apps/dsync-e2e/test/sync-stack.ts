import {
  type Answer,
  type FakeGoogle,
  type HttpClient,
  openTestStack,
  type RequestOptions,
  type ServiceProcess,
  type TestStack,
  type TestStackOptions,
} from '@gatehouse/testing';

export const API_KEY = 'an-api-key-of-the-tests-0123456789';

const MANAGEMENT = '/api/v1/dsync';

export type Service = ServiceProcess & { http: HttpClient };

type Headers = Readonly<Record<string, string>>;

/** Stores and processes of directory sync; the API and the worker share their settings. */
export function openSyncStack({
  settings,
  ...stores
}: Omit<TestStackOptions, 'defaultFrom'> = {}): Promise<TestStack> {
  return openTestStack('dsync-api', {
    // Every SCIM error has the same body, which `default` describes.
    defaultFrom: 400,
    undescribed: /^\/(version$|health\/|api\/scim\/oauth\/|setup\/)/,
    ...stores,
    settings: {
      ENCRYPTION_KEYS: 'encryption-key-of-the-tests-0123456789',
      API_KEYS: API_KEY,
      EXTERNAL_URL: 'https://sync.example.com',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      // Nothing listens at EXTERNAL_URL.
      WORKSPACE_PUSH: 'false',
      ...settings,
    },
  });
}

/** Sends a management request; `content` is sent as JSON, a string unchanged. */
export function manage(
  { http }: Service,
  method: string,
  path: string,
  content?: unknown,
  headers: Headers = {},
): Promise<Answer> {
  const authorization = `Api-Key ${API_KEY}`;
  return http.send(method, MANAGEMENT + path, {
    ...bodyOf(content),
    headers: { ...typeOf(content, 'application/json'), authorization, ...headers },
  });
}

export interface TestDirectory {
  id: string;
  secret: string;
  /** The path of its SCIM endpoints. */
  path: string;
  /** Sends a SCIM request as the identity provider of the directory. */
  scim(method: string, path: string, content?: unknown, headers?: Headers): Promise<Answer>;
}

/** Creates a directory through the management API. */
export async function newDirectory(api: Service, input: object = {}): Promise<TestDirectory> {
  const { status, body, text } = await manage(api, 'POST', '', {
    tenant: `tenant-${Math.random().toString(36).slice(2)}`,
    product: 'product',
    ...input,
  });
  if (status !== 201) throw new Error(text);
  const { id, scim } = body.data;
  return {
    id,
    secret: scim.secret,
    path: scim.path,
    scim: (method, path, content, headers = {}) =>
      sendScim(api.http, scim.secret, method, scim.path + path, content, headers),
  };
}

/** Creates a workspace directory that an administrator has connected. @returns its id */
export async function connectWorkspace(
  api: Service,
  google: FakeGoogle,
  input: object = {},
): Promise<string> {
  const workspace = { type: 'workspace', workspace_domain: 'example.com', ...input };
  const { id } = await newDirectory(api, workspace);
  const { body } = await manage(api, 'GET', `/${id}/workspace/authorization-url`);
  const { pathname, search } = new URL(await google.consent(body.data.authorizationUrl));
  const { status, text } = await api.http.send('GET', pathname + search);
  if (status !== 200) throw new Error(text);
  return id;
}

/** Sends a SCIM request with the given secret. */
export function sendScim(
  http: HttpClient,
  secret: string,
  method: string,
  path: string,
  content?: unknown,
  headers: Headers = {},
): Promise<Answer> {
  const authorization = `Bearer ${secret}`;
  return http.send(method, path, {
    ...bodyOf(content),
    headers: { ...typeOf(content, 'application/scim+json'), authorization, ...headers },
  });
}

export function user(userName: string, more: object = {}): object {
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, ...more };
}

function bodyOf(content: unknown): Pick<RequestOptions, 'body' | 'json'> {
  return typeof content === 'string' ? { body: content } : { json: content };
}

function typeOf(content: unknown, type: string): Headers {
  return content === undefined ? {} : { 'content-type': type };
}
