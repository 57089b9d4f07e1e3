/** The front door and the gateway of the split layout serve the same, and neither opens to hostile requests. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { pino } from 'pino';
import { hostileRequests } from '../../../deploy/test/hostile-requests.js';
import { type FrontDoor, openFrontDoor, type Serve } from '../src/front-door/front-door.js';
import {
  ADMIN_ROUTES,
  PUBLIC_ROUTES,
  REFERENCE_FILES,
  type Routes,
  SERVICE_NAMES,
  SERVICE_PATHS,
} from '../src/front-door/routes.js';

/** Locations of the gateway that hand requests to a service: the modifier, the path and the service. */
function locationsIn(file: string): [string, string, string][] {
  const text = readFileSync(join(workspace, 'deploy', 'gateway', file), 'utf8');
  const blocks = text.matchAll(/^location (\S+) (\S+) \{([^}]*)\}/gm);
  return [...blocks].flatMap(([, modifier = '', path = '', block = '']) => {
    const service = /proxy_pass http:\/\/\$(\w+);/.exec(block)?.[1]?.replaceAll('_', '-');
    return service === undefined ? [] : [[modifier, path, service]];
  });
}

function routesIn(file: string): Routes {
  const routes = locationsIn(file)
    .filter(([modifier]) => modifier !== '~')
    .map(([modifier, path, service]) => [modifier === '=' ? path : `${path}*`, service] as const);
  return Object.fromEntries(routes) as Routes;
}

/** Locations for a longer time limit of nginx, inside of another one for the same service. */
const LONGER_TIMES = {
  '/api/v1/dsync/cron*': 'dsync-api',
  '/api/v1/directory-sync/cron*': 'dsync-api',
};

it('the public surface has the routes of the gateway', () => {
  expect(PUBLIC_ROUTES).toEqual(routesIn('public-routes.conf'));
});

it('the admin surface has the routes of the gateway', () => {
  expect({ ...ADMIN_ROUTES, ...LONGER_TIMES }).toEqual(routesIn('admin-routes.conf'));
});

/** What a pattern of the gateway matches: a path for each combination of its alternatives. */
function alternativesOf(pattern: string): string[] {
  const [group, inner = '', optional] = /\(\?:([^()]*)\)(\?)?/.exec(pattern) ?? [];
  if (group === undefined) return [pattern];
  const choices = optional === undefined ? inner.split('|') : [inner, ''];
  return choices.flatMap((choice) => alternativesOf(pattern.replace(group, choice)));
}

it('the admin surface serves the reference and the paths of each service as the gateway does', () => {
  const locations = locationsIn('admin-routes.conf').filter(([modifier]) => modifier === '~');
  const paths = locations.flatMap(([, pattern, service]) => {
    const readable = pattern
      .replaceAll('\\.', '.')
      .replaceAll('.*', '*')
      .replace(/^\^(.*)\$$/, '$1');
    return alternativesOf(readable).map((path) => [path, service]);
  });
  const expected = [
    ...REFERENCE_FILES.map((path) => [path, 'key-service']),
    ...SERVICE_NAMES.flatMap((name) => SERVICE_PATHS.map((path) => [`/${name}${path}`, name])),
  ];
  expect(new Map(paths as [string, string][])).toEqual(new Map(expected as [string, string][]));
});

describe('the public surface', () => {
  /** Requests at once. */
  const CLIENTS = 16;
  const ANSWER_TIMEOUT_MS = 1_000;
  const PUBLIC =
    /^\/(?:api\/scim|setup|portal|flows|assets)\/|^\/sign-up(?:\?|$)|^\/v2alpha1\/derivedKeys\/jwks\.json(?:\?|$)|^\/v2alpha1\/apiKeys:self/;
  const reached: string[] = [];
  let frontDoor: FrontDoor;

  beforeAll(async () => {
    const serve: Serve = (request, response) => {
      reached.push(request.url as string);
      request.resume().once('end', () => response.end('{}'));
    };
    frontDoor = await openFrontDoor({
      host: '127.0.0.1',
      port: 0,
      adminPort: 0,
      services: {
        'key-service': serve,
        'dsync-api': serve,
        'identity-forms': serve,
        console: serve,
      },
      ready: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
      // A client of its own for each request, because they would be too many for one.
      clients: { clientIpSource: 'x-real-ip', trustedProxies: ['127.0.0.1/32'] },
      logger: pino({ level: 'silent' }),
    });
  });
  afterAll(() => frontDoor.close(0, 0));

  /** Sends these bytes, and resolves to what comes back until the end, or until nothing more does. */
  const exchange = (bytes: string) =>
    new Promise<string>((resolve) => {
      let received = '';
      const port = Number(new URL(frontDoor.publicUrl).port);
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
      socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
      socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
      socket.on('error', () => undefined).on('close', () => resolve(received));
    });

  it('answers hostile requests with a 4xx, or hands them to a public route as they are', async () => {
    const requests = hostileRequests({
      credentials: 'X-Real-IP: 10.0.0.0\r\nAuthorization: Bearer secret\r\n',
      scimPath: '/api/scim/v2.0/1',
      scimSecret: 'secret',
    });
    let client = 0;
    const statuses: number[] = [];
    const work = async () => {
      for (let step = requests.next(); !step.done; step = requests.next()) {
        client += 1;
        const own = `10.0.${client >> 8}.${client & 255}`;
        const answer = await exchange(step.value.replace('10.0.0.0', own));
        statuses.push(
          ...[...answer.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status)),
        );
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));
    expect(statuses.length).toBeGreaterThan(1_000);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(reached.length).toBeGreaterThan(50);
    expect(reached.filter((url) => !PUBLIC.test(url))).toEqual([]);
  });
});
