/**
 * Protected mode serves programs on this machine. A loopback socket is not sufficient proof: a
 * proxy on this machine forwards requests of remote clients, and a web page in a local browser can
 * send requests here, even to its own host name if that resolves to a loopback address (DNS
 * rebinding).
 */
import { type FastifyRequest } from 'fastify';
import { isLoopback } from '@gatehouse/kit/clients';

/** The part of a request that the guard reads. */
export type LocalRequest = Pick<FastifyRequest, 'headers' | 'raw'>;

/** Headers that proxies add. */
const PROXY_HEADERS =
  /^(forwarded|via|x-real-ip|x-forwarded-.*|x-original-.*|x-envoy-.*|x-client-ip|true-client-ip|cf-.*)$/;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a request comes from a program on this machine, without a proxy and not from a web page. */
export function isLocal({ headers, raw }: LocalRequest): boolean {
  if (!isLoopback(raw.socket.remoteAddress)) return false;
  if (Object.keys(headers).some((name) => PROXY_HEADERS.test(name))) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return false;
  if (!LOOPBACK_HOST.test(headers.host ?? '')) return false;
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}
