/** The requests whose cost must not grow with the rows that are there. */
import assert from 'node:assert/strict';
import { JSON_HEADERS } from '../verify/sides.js';
import { patchBody, userBody } from '../scim/works.js';
import { type ScaledStack } from './fill.js';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** One request, or the few that belong to it; `n` is never used twice. */
export type Work = (stack: ScaledStack, n: number) => Promise<unknown>;

const KEYS = '/v2alpha1/admin';

export const REQUESTS: Readonly<Record<string, Work>> = {
  'verify a key that is in no cache': ({ url, secrets }, n) =>
    answered(`${url}${KEYS}/apiKeys:verify`, {
      headers: { ...JSON_HEADERS, 'cache-control': 'no-store' },
      body: { credential: at(secrets, n) },
    }),
  'issue a key': ({ url }, n) =>
    answered(`${url}${KEYS}/issuedApiKeys`, {
      headers: JSON_HEADERS,
      body: { name: 'New', actor_id: `new-${n}`, scopes: ['orders:read'] },
    }),
  'list the keys of an actor': ({ url }, n) =>
    answered(`${url}${KEYS}/issuedApiKeys?filter=actor_id%3D%22bench-${hex(chosen(n))}%22`, {
      headers: JSON_HEADERS,
    }),
  'create a user, and deliver the event': async (stack, n) => {
    await scim(stack, '/Users', { body: userBody(`new-${n}@bench.example`) });
    stack.changed();
  },
  'find a user by userName': (stack, n) =>
    scim(stack, `/Users?filter=userName%20eq%20%22filled-${chosen(n)}@bench.example%22`),
  'change a user, and deliver the event': async (stack, n) => {
    const body = patchBody({ op: 'replace', path: 'displayName', value: `Person ${n}` });
    await scim(stack, `/Users/${userId(chosen(n))}`, { method: 'PATCH', body });
    stack.changed();
  },
  'list 100 users by index, with their total': (stack) => scim(stack, '/Users?count=100'),
  'list the next 100 users by cursor': (stack) =>
    scim(stack, `/Users?cursor=${encodeURIComponent(stack.cursor)}&count=100`),
  'read 100 events of the log': ({ url, directory }) =>
    answered(`${url}/api/v1/dsync/events?directoryId=${directory.id}&limit=100`, {
      headers: JSON_HEADERS,
    }),
  'sign up by a form': signUp,
};

async function signUp({ url, schema }: ScaledStack, n: number): Promise<void> {
  // Everyone has an address, because submissions from one are limited.
  const client = { 'x-real-ip': `10.${(n >> 16) % 256}.${(n >> 8) % 256}.${n % 256}` };
  const opened = await fetch(`${url}/sign-up?schema=${schema}`, {
    headers: client,
    redirect: 'manual',
  });
  const { pathname, search } = new URL(opened.headers.get('location') ?? '', url);
  const accept = { ...client, accept: 'application/json' };
  const page = await fetch(url + pathname + search, { headers: accept });
  const { csrf_token } = (await page.json()) as { csrf_token: string };
  const [cookie = ''] = (page.headers.getSetCookie()[0] ?? '').split(';');
  await answered(url + pathname + search, {
    headers: { ...accept, cookie, 'content-type': 'application/json' },
    body: { csrf_token, traits: { email: `new-${n}@example.com` } },
  });
}

function scim({ url, directory }: ScaledStack, path: string, sent: Sent = {}): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${directory.secret}`,
    'content-type': 'application/scim+json',
  };
  return answered(`${url}/api/scim/v2.0/${directory.id}${path}`, { headers, ...sent });
}

async function answered(url: string, { method, headers, body }: Sent): Promise<unknown> {
  const response = await fetch(url, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Keys and users that are there in every size. */
function chosen(n: number): number {
  return (n % 500) + 1;
}

/** As `fillUsers` makes it. */
function userId(number: number): string {
  const digits = hex(number);
  return `0199${digits.slice(0, 4)}-${digits.slice(4)}-7000-8000-0000${digits}`;
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0');
}

function at(values: readonly string[], n: number): string {
  return values[n % values.length] ?? '';
}
