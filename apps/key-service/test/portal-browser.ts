/** A browser without scripts, which shows pages of the portal. */
import { type Answer } from '@gatehouse/testing';
import { type KeyServiceStack } from './key-stack.js';

export interface Browser {
  send: (method: string, path: string, form?: object, more?: object) => Promise<Answer>;
  /** Sends a form of the page at `from` with the token that the page contains. */
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
  const submit: Browser['submit'] = async (from, path, form = {}) => {
    const page = (await send('GET', from)).text;
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const nonce = /name="nonce" value="([^"]+)"/.exec(page)?.[1];
    return send('POST', path, { csrf_token, ...(nonce && { nonce }), ...form });
  };
  return { send, submit };
}
