import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * Security headers for data: load nothing, do not frame, do not guess the type. Helmet's other
 * headers concern pages; a service with pages passes its own options.
 */
export const API_HEADERS: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** The API description's pages load their own script and style. */
const DOCS_HEADERS: HelmetOptions = {};
const DOCS_PATH = '/docs';

/**
 * Sends helmet's headers on every answer. They never differ between requests, so helmet runs
 * once at start and the hot path copies what it said.
 */
export function sendSecurityHeaders(fastify: FastifyInstance, options: HelmetOptions): void {
  const headers = securityHeadersOf(options);
  const docsHeaders = securityHeadersOf(DOCS_HEADERS);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(DOCS_PATH) ? docsHeaders : headers);
    done();
  });
}

/** The headers that helmet sends with these options, by lower-case name. */
export function securityHeadersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  const fail = (error?: unknown) => {
    if (error) throw error as Error;
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, fail);
  return headers;
}
