/** What the services say about the whole installation, each in one bounded request. */
import { GatehouseError } from '@gatehouse/client';
import { can, type ConsoleVisit } from '../site/pages.js';

/** Of each kind, at most; one more shows that there are more. */
export const NEEDS_MAX = 50;
const READ = { pageLimit: NEEDS_MAX + 1 };
const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 7;
/** 24 hours or 60 minutes of all outcomes. */
const USAGE_ROWS_MAX = 5_000;

export type Service = 'keys' | 'directories' | 'forms';
export type Installation = Awaited<ReturnType<typeof readInstallation>>;

/** Services that the person may not read, or that cannot be reached, have nothing in the lists. */
export async function readInstallation(visit: ConsoleVisit) {
  const unavailable = new Set<Service>();
  const readIf =
    (isAllowed: boolean, service: Service) =>
    async <Row>(request: () => Promise<readonly Row[]>): Promise<readonly Row[]> => {
      if (!isAllowed) return [];
      try {
        return await request();
      } catch (error) {
        const isUnavailable = error instanceof GatehouseError && error.status >= 500;
        if (!isUnavailable) throw error;
        unavailable.add(service);
        return [];
      }
    };
  const ofKeys = readIf(can(visit, 'keys:read'), 'keys');
  const ofDirectories = readIf(can(visit, 'dsync:read'), 'directories');
  const ofForms = readIf(can(visit, 'forms:read'), 'forms');
  const { keys, directories, identities, usage } = visit.gatehouse;
  const directoriesWith = (filter: { state: 'held' } | { has_errors: true }) =>
    ofDirectories(() => directories.list({ ...filter, ...READ, secrets: false }));
  const endpointsIn = (state: 'failing' | 'stopped' | 'paused') =>
    ofDirectories(async () => {
      const listed = await directories.webhookEndpoints.listAll({ state, ...READ });
      return listed.map((endpoint) => ({ ...endpoint, source: endpoint.directory_id }));
    });
  const troubled = <Endpoint extends { state: string }>(
    source: 'keys' | 'identities',
    endpoints: readonly Endpoint[],
  ) =>
    endpoints
      .filter(({ state }) => state !== 'healthy')
      .map((endpoint) => ({ ...endpoint, source }));
  const usageBy = (interval: 'hour' | 'minute', from?: string) =>
    ofKeys(async () => {
      const query = { interval, from, group_by: 'outcome', page_size: USAGE_ROWS_MAX };
      return (await usage.list(query)).usage;
    });
  const nowMs = Date.now();
  const [held, faulty, expiring, hours, minutes, ...endpoints] = await Promise.all([
    directoriesWith({ state: 'held' }),
    directoriesWith({ has_errors: true }),
    ofKeys(async () => {
      // Not those that live for days, such as those of sessions of the console.
      const filter = `status=KEY_STATUS_ACTIVE AND create_time<"${timeOf(nowMs - DAY_MS)}" AND expire_time>"${timeOf(nowMs)}" AND expire_time<"${timeOf(nowMs + EXPIRY_DAYS * DAY_MS)}"`;
      return (await keys.list({ filter, page_size: NEEDS_MAX + 1 })).issued_api_keys;
    }),
    usageBy('hour', timeOf(nowMs - DAY_MS)),
    usageBy('minute'),
    endpointsIn('failing'),
    endpointsIn('stopped'),
    endpointsIn('paused'),
    ofKeys(async () => troubled('keys', (await keys.webhookEndpoints.list()).webhook_endpoints)),
    ofForms(async () =>
      troubled('identities', (await identities.webhookEndpoints.list()).webhook_endpoints),
    ),
  ]);
  const apart = faulty.filter(({ id }) => !held.some((each) => each.id === id));
  return {
    held,
    faulty: apart,
    expiring,
    hours,
    minutes,
    endpoints: endpoints.flat(),
    unavailable,
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
