/** Requests that no honest client sends: unusual paths, frames, headers, methods and versions. */

export interface HostileContext {
  /** Header lines that would open every admin route. */
  credentials: string;
  scimPath: string;
  scimSecret: string;
}

const PATHS = [
  '/v2alpha1/admin/issuedApiKeys',
  '/v2alpha1/derivedKeys/jwks.json',
  '/api/v1/dsync',
  '/v1/schemas',
  '/flows/abc',
  '/sign-up',
  '/assets/page.css',
  '/docs',
  '/version',
  '/metrics',
  '/health/ready',
  '/key-service/health/ready',
  '/api/scim/v2.0/1/Users',
];

/** Changes of a path that some servers undo and others do not. */
const TWISTS: ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => `/.${path}`,
  (path) => `/flows/..${path}`,
  (path) => `/flows/../..${path}`,
  (path) => `/flows/%2e%2e${path}`,
  (path) => `/flows/%2E.${path}`,
  (path) => `/flows%2f..${path}`,
  (path) => `/assets/..%2f${path.slice(1)}`,
  (path) => `/assets/..%5c${path.slice(1)}`,
  (path) => `/assets/..\\${path.slice(1)}`,
  (path) => `/assets/%252e%252e${path}`,
  (path) => `/assets/%c0%ae%c0%ae${path}`,
  (path) => `/assets/%c0%af..${path}`,
  (path) => `/flows/..;${path}`,
  (path) => `/flows;${path}`,
  (path) => `${path};a=b`,
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `${path}/`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0aX: y`,
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `${path}#/flows/a`,
  (path) => `${path}?/../flows/a`,
  (path) => `/flows/a?${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(':', '%3a'),
  (path) => `http://x${path}`,
  (path) => `http://x/flows/a@127.0.0.1${path}`,
  (path) => `//127.0.0.1${path}`,
  (path) => path.slice(1),
  (path) => `${path}\x80\xff`,
  (path) => `${path}\t`,
  (path) => ` ${path}`,
  (path) => `${path}${'/a'.repeat(3_000)}`,
];

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'G\x00T',
  'GETGETGETGETGETGETGETGETGETGETGETGET',
  '',
  'PRI',
  'M-SEARCH',
];

const VERSIONS = [
  'HTTP/1.0',
  'HTTP/1.1',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1 ',
  '',
];

const HEADERS = [
  'Host: ',
  'Host: a b',
  'Host: x\r\nHost: y',
  'Host: x:99999',
  'Host: [::1',
  'Host: \x00',
  'Host: ..',
  `Host: ${'a'.repeat(5_000)}`,
  'Host : x',
  'Host: x\r\n folded: y',
  ': x',
  'A',
  'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade',
  'Host: x\r\nExpect: 200-ok',
  'Host: x\r\nX-Original-URL: /v1/schemas',
  'Host: x\r\nX-Rewrite-URL: /v1/schemas',
  'Host: x\r\nX-HTTP-Method-Override: DELETE',
  'Host: x\r\nConnection: Authorization, Host',
  'Host: x\r\nRange: bytes=0-0,0-0,0-0',
  'Host: x\r\nAccept-Encoding: \xff',
  'Host: x\r\nTE: trailers',
  `Host: x\r\n${Array.from({ length: 600 }, (_, n) => `X-${n}: ${'a'.repeat(20)}`).join('\r\n')}`,
  `Host: x\r\nX: ${'a'.repeat(70_000)}`,
  `Host: x\r\nCookie: ${'a=b; '.repeat(3_000)}`,
];

/** Frames of a body about which two servers may disagree. The rest must not become a request. */
const FRAMES: ((rest: string) => string)[] = [
  (rest) => `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Content-Length: 3\r\nContent-Length: 5\r\n\r\nabc${rest}`,
  (rest) => `Content-Length: 3, 3\r\n\r\nabc${rest}`,
  (rest) => `Content-Length: +3\r\n\r\nabc${rest}`,
  (rest) => `Content-Length: 0x3\r\n\r\nabc${rest}`,
  (rest) => `Content-Length: -1\r\n\r\n${rest}`,
  (rest) => `Content-Length: 99999999999999999999\r\n\r\n${rest}`,
  (rest) => `Content-Length : 3\r\n\r\nabc${rest}`,
  (rest) => `Content-Length:\r\n 3\r\n\r\nabc${rest}`,
  (rest) => `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\nzz\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\n3\nabc\n0\n\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\n0\r\nHost: y\r\nContent-Length: 3\r\n\r\n${rest}`,
  (rest) => `Transfer-Encoding: chunked\r\n\r\n${rest}`,
  (rest) => `Content-Length: 100\r\n\r\n${rest}`,
];

export function* hostileRequests(context: HostileContext): Generator<string> {
  const { credentials, scimPath, scimSecret } = context;
  const end = `${credentials}Connection: close\r\n\r\n`;
  for (const path of PATHS) {
    for (const twist of TWISTS) {
      yield `GET ${twist(path)} HTTP/1.1\r\nHost: x\r\n${end}`;
      yield `POST ${twist(path)} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n${end}{}`;
    }
    for (const method of METHODS) yield `${method} ${path} HTTP/1.1\r\nHost: x\r\n${end}`;
    for (const version of VERSIONS) yield `GET ${path} ${version}\r\nHost: x\r\n${end}`;
    for (const header of HEADERS) yield `GET ${path} HTTP/1.1\r\n${header}\r\n${end}`;
  }
  const smuggled = `GET /v2alpha1/admin/issuedApiKeys HTTP/1.1\r\nHost: x\r\n${end}`;
  const scim = `Authorization: Bearer ${scimSecret}\r\nContent-Type: application/scim+json\r\n`;
  for (const frame of FRAMES) {
    for (const path of [`${scimPath}/Users`, '/v2alpha1/apiKeys:selfRevoke', '/flows/abc', '/x']) {
      yield `POST ${path} HTTP/1.1\r\nHost: x\r\n${scim}${frame(smuggled)}`;
      yield `POST ${path} HTTP/1.0\r\nHost: x\r\n${scim}${frame(smuggled)}`;
      yield `GET ${path} HTTP/1.1\r\nHost: x\r\n${scim}${frame(smuggled)}`;
    }
  }
  for (const bytes of ['\r\n\r\n', '\n\n', '\x00'.repeat(64), '\x16\x03\x01\x02\x00', 'GET / ']) {
    yield bytes;
  }
}
