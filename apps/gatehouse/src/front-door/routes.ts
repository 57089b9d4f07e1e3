/** The routes of each surface. A check compares them with deploy/gateway, where nginx has the same. */

export const SERVICE_NAMES = ['key-service', 'dsync-api', 'identity-forms'] as const;
/** Services with an API, and the console. */
export type ServiceName = (typeof SERVICE_NAMES)[number] | 'console';
export type SurfaceName = 'public' | 'admin';

/** Services by path; a `*` at the end stands for any text. */
export type Routes = Readonly<Record<string, ServiceName>>;

/** The route that is not limited as anonymous if a request has a credential. */
export const SCIM = '/api/scim/*';

/** Both surfaces serve these: what identity providers, browsers and verifiers of tokens need. */
export const PUBLIC_ROUTES: Routes = {
  '/v2alpha1/derivedKeys/jwks.json': 'key-service',
  '/v2alpha1/apiKeys:selfRevoke': 'key-service',
  '/v2alpha1/apiKeys:reportGithubLeaks': 'key-service',
  '/oauth/token': 'key-service',
  '/.well-known/oauth-authorization-server': 'key-service',
  '/api/scim/oauth/callback': 'dsync-api',
  [SCIM]: 'dsync-api',
  '/setup/*': 'dsync-api',
  '/portal/*': 'key-service',
  '/flows/*': 'identity-forms',
  '/sign-up': 'identity-forms',
  '/assets/*': 'identity-forms',
};

export const ADMIN_ROUTES: Routes = {
  '/v2alpha1/admin/*': 'key-service',
  '/api/v1/dsync*': 'dsync-api',
  '/api/v1/directory-sync*': 'dsync-api',
  '/v1/*': 'identity-forms',
  '/docs': 'key-service',
  '/docs/*': 'key-service',
  '/console': 'console',
  '/console/*': 'console',
};

/** Files of the reference that are also where programs look for them. The key service has them below /docs. */
export const REFERENCE_FILES = ['/openapi.json', '/llms.txt'];

/** Paths of every service, which the admin surface serves below the name of the service. */
export const SERVICE_PATHS = [
  '/health/alive',
  '/health/ready',
  '/version',
  '/openapi.json',
  '/events/asyncapi.json',
  '/events/catalogue.json',
];

export interface Route {
  /** Path, with a `*` at the end for any text. */
  readonly pattern: string;
  readonly service: ServiceName;
  /** The beginning of the path that the service does not see; usually empty. */
  readonly prefix: string;
  /** What the service sees before the path instead; usually empty. */
  readonly folder?: string;
}

/**
 * Finds the route of a path. Paths are compared as they were sent, so that no service can read them
 * differently.
 * @returns undefined if the surface does not serve the path
 */
export function routeOf(surface: SurfaceName, path: string): Route | undefined {
  return publicRouteOf(path) ?? (surface === 'admin' ? adminRouteOf(path) : undefined);
}

/**
 * Whether all servers read a path alike: it has no `.` or `..` segments, no fragment or backslash, and no
 * encoded dots, slashes, backslashes, percent signs or control characters.
 */
export function isNormalPath(path: string): boolean {
  return (
    path.startsWith('/') &&
    !/\/\.\.?(?:\/|$)|[#\\]|%(?:2[5ef]|5c|[01][0-9a-f]|7f|(?![0-9a-f]{2}))/i.test(path)
  );
}

const publicRouteOf = routeFinder(routesIn(PUBLIC_ROUTES));
const adminRouteOf = routeFinder([
  ...routesIn(ADMIN_ROUTES),
  ...REFERENCE_FILES.map((pattern): Route => ({
    pattern,
    service: 'key-service',
    prefix: '',
    folder: '/docs',
  })),
  ...SERVICE_NAMES.flatMap((service) =>
    SERVICE_PATHS.map((path) => ({
      pattern: `/${service}${path}`,
      service,
      prefix: `/${service}`,
    })),
  ),
]);

function routesIn(routes: Routes): Route[] {
  return Object.entries(routes).map(([pattern, service]) => ({ pattern, service, prefix: '' }));
}

function routeFinder(routes: readonly Route[]): (path: string) => Route | undefined {
  const exact = new Map(routes.map((route) => [route.pattern, route]));
  const open = routes
    .filter(({ pattern }) => pattern.endsWith('*'))
    .map((route) => ({ start: route.pattern.slice(0, -1), route }));
  return (path) => exact.get(path) ?? open.find(({ start }) => path.startsWith(start))?.route;
}
