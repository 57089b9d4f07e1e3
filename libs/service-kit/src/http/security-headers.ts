import { type IncomingMessage, type ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';
import { type RequestStep } from './request-steps.js';

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

/** The pages of the API description load their own script and style. */
const DOCS_HEADERS: HelmetOptions = {};
const DOCS_PATH = '/docs';

/**
 * Sends helmet's headers on every response. They do not differ between requests, so helmet runs
 * once at start and the hot path copies its headers.
 */
export function securityHeaders(options: HelmetOptions): RequestStep {
  const headers = headersOf(options);
  const docsHeaders = headersOf(DOCS_HEADERS);
  return {
    addHeaders(target, _requestId, url) {
      for (const [name, value] of url.startsWith(DOCS_PATH) ? docsHeaders : headers) {
        target.header(name, value);
      }
    },
  };
}

/** The headers that helmet sends with these options, with lower-case names. */
function headersOf(options: HelmetOptions): [string, string][] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => headers.push([name.toLowerCase(), value]),
    removeHeader: () => undefined,
  };
  const fail = (error?: unknown) => {
    if (error) throw error as Error;
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, fail);
  return headers;
}
