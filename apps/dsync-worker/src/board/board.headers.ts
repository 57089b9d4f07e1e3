import { API_HEADERS, type ServiceDefinition } from '@gatehouse/nest-kit/http';

/** The page of the board loads its own scripts, styles and data, and nothing of other origins. */
export const BOARD_HEADERS: ServiceDefinition['helmet'] = {
  ...API_HEADERS,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'base-uri': ["'self'"],
      'connect-src': ["'self'"],
      'font-src': ["'self'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'img-src': ["'self'"],
      'script-src': ["'self'"],
      // The page has style elements and attributes.
      'style-src': ["'self'", "'unsafe-inline'"],
    },
  },
};
