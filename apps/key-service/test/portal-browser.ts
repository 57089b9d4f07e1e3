/** A browser without scripts, which shows pages of the portal. */
import { type Answer } from '@gatehouse/testing';
import { ADMIN_KEY, bearer, type KeyServiceStack } from './key-stack.js';

/** EXTERNAL_URL of the services. */
export const PUBLIC = 'https://keys.example.com';

export interface Browser {
  send: (method: string, path: string, form?: object, more?: object) => Promise<Answer>;
  /** The fields that the form of the page at `from` contains besides those of the user. */
  hiddenFields: (from: string) => Promise<Record<string, string>>;
  /** Sends a form of the page at `from` with its hidden fields. */
  submit: (from: string, path: string, form?: object) => Promise<Answer>;
}

export function portalBrowser(service: KeyServiceStack, cookie = '', replica = 0): Browser {
  const send: Browser['send'] = (method, path, form, more = {}) =>
    (service.replicas[replica] as (typeof service.replicas)[number]).http.send(method, path, {
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      ...(form && { body: new URLSearchParams(form as Record<string, string>).toString() }),
    });
  const hiddenFields: Browser['hiddenFields'] = async (from) => {
    const page = (await send('GET', from)).text;
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const nonce = /name="nonce" value="([^"]+)"/.exec(page)?.[1];
    return { csrf_token, ...(nonce && { nonce }) };
  };
  const submit: Browser['submit'] = async (from, path, form = {}) =>
    send('POST', path, { ...(await hiddenFields(from)), ...form });
  return { send, hiddenFields, submit };
}

/** Requests of an application and of the users of its portal sessions. */
export function portalOf(service: () => KeyServiceStack) {
  const admin = (method: string, path: string, body?: unknown) =>
    service().admin(method, path, body, { headers: bearer(ADMIN_KEY) });
  const browserOf = (cookie = '', replica = 0) => portalBrowser(service(), cookie, replica);

  async function createSession(fields: object = {}) {
    const answer = await admin('POST', '/portalSessions', { actor_id: 'user_1', ...fields });
    expect(answer.status).toBe(201);
    const url = answer.body.url as string;
    expect(url.startsWith(`${PUBLIC}/portal/`)).toBe(true);
    return { id: answer.body.portal_session.session_id as string, path: url.slice(PUBLIC.length) };
  }

  async function openSession(fields: object = {}) {
    const session = await createSession(fields);
    const opened = await browserOf().send('POST', session.path, {});
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/portal/keys']);
    const header = opened.headers.get('set-cookie') ?? '';
    expect(header).toMatch(/^__Host-gatehouse_portal=[\w-]{43}; Path=\/; .*HttpOnly; .*; Secure$/);
    const cookie = header.split(';')[0] as string;
    return { ...session, cookie, ...browserOf(cookie) };
  }

  return {
    admin,
    browserOf,
    createSession,
    openSession,
    /** Creates a key with the form of the page. */
    make: (browser: Browser, form: object = { name: 'Robot' }) =>
      browser.submit('/portal/keys/new', '/portal/keys', form),
    /** Issues a key as the application does. */
    issue: async (fields: object) => {
      const { body } = await admin('POST', '/issuedApiKeys', {
        name: 'Of the application',
        actor_id: 'user_1',
        ...fields,
      });
      return body.issued_api_key.key_id as string;
    },
    secretOf: ({ text }: Answer) => /<code class="copied"[^>]*>([^<]+)<\/code>/.exec(text)?.[1],
    verify: async (credential: string) =>
      (await admin('POST', '/apiKeys:verify', { credential })).body as Record<string, unknown>,
  };
}
