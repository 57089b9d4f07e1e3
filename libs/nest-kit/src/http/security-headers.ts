import { type IncomingMessage, type ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';
import { type HeaderList } from './request-steps.js';

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

/**
 * The headers that helmet sends with these options, with lower-case names. They do not differ between
 * requests, so helmet runs once at start.
 */
export function securityHeaders(options: HelmetOptions): HeaderList {
  const headers: string[] = [];
  const response = {
    setHeader: (name: string, value: string) => headers.push(name.toLowerCase(), value),
    removeHeader: () => undefined,
  };
  const fail = (error?: unknown) => {
    if (error) throw error as Error;
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, fail);
  return headers;
}
