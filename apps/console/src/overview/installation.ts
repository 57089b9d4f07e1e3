/** What the services say about the whole installation, in bounded requests. */
import { GatehouseError } from '@gatehouse/client';
import { type ConsoleVisit } from '../site/pages.js';
import { Services } from '../site/services.js';
import { endpointsOf, serviceOf, sourceOf } from '../webhooks/webhook-source.js';

/** Of each kind, at most; one more shows that there are more. */
export const NEEDS_MAX = 50;
const READ = { pageLimit: NEEDS_MAX + 1 };
/** Endpoints whose oldest undelivered event is looked up. */
const OLDEST_MAX = 5;
const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 7;
/** 24 hours or 60 minutes of all outcomes. */
const USAGE_ROWS_MAX = 5_000;

export type Installation = Awaited<ReturnType<typeof readInstallation>>;

interface TroubledEndpoint {
  readonly id: string;
  /** As paths have it. */
  readonly source: string;
  readonly url: string;
  readonly state: string;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
}

export async function readInstallation(visit: ConsoleVisit) {
  const services = new Services(visit);
  const directoriesWith = (filter: { state: 'held' } | { has_errors: true } | { quiet: true }) =>
    services.rowsOf('directories', ({ directories }) =>
      directories.list({ ...filter, ...READ, secrets: false }),
    );
  const endpointsIn = (state: 'failing' | 'stopped' | 'paused') =>
    services.rowsOf('directories', async ({ directories }) => {
      const listed = await directories.webhookEndpoints.listAll({ state, ...READ });
      return listed.map((endpoint) => ({ ...endpoint, source: endpoint.directory_id }));
    });
  const troubledOf = async (owner: 'keys' | 'identities') => {
    const all = await endpointsOf(services, owner);
    const troubled = all.filter(({ endpoint }) => endpoint.state !== 'healthy');
    return troubled.map(({ endpoint, source }) => ({ ...endpoint, source }));
  };
  const usageBy = (interval: 'hour' | 'minute', from?: string) =>
    services.rowsOf('keys', async ({ usage }) => {
      const query = { interval, from, group_by: 'outcome', page_size: USAGE_ROWS_MAX };
      return (await usage.list(query)).usage;
    });
  const nowMs = Date.now();
  const tomorrow = timeOf(nowMs + DAY_MS);
  const keysWith = (filter: string) =>
    services.rowsOf('keys', async ({ keys }) => {
      const active = `status=KEY_STATUS_ACTIVE AND ${filter}`;
      return (await keys.list({ filter: active, page_size: NEEDS_MAX + 1 })).issued_api_keys;
    });
  const [held, faulty, quiet, scimUsage, today, later, hours, minutes, ...endpoints] =
    await Promise.all([
      directoriesWith({ state: 'held' }),
      directoriesWith({ has_errors: true }),
      directoriesWith({ quiet: true }),
      services.rowsOf('directories', ({ directories }) => directories.usage()),
      // Not new keys that end within a day, such as those of sessions of the console.
      keysWith(
        `create_time<"${timeOf(nowMs - DAY_MS)}" AND expire_time>"${timeOf(nowMs)}" AND expire_time<"${tomorrow}"`,
      ),
      keysWith(
        `expire_time>"${tomorrow}" AND expire_time<"${timeOf(nowMs + EXPIRY_DAYS * DAY_MS)}"`,
      ),
      usageBy('hour', timeOf(nowMs - DAY_MS)),
      usageBy('minute'),
      endpointsIn('failing'),
      endpointsIn('stopped'),
      endpointsIn('paused'),
      troubledOf('keys'),
      troubledOf('identities'),
    ]);
  const troubled: readonly TroubledEndpoint[] = endpoints.flat();
  return {
    held,
    faulty: faulty.filter(({ id }) => !held.some((each) => each.id === id)),
    quiet,
    scimUsage,
    expiring: [...today, ...later],
    hours,
    minutes,
    endpoints: troubled,
    waiting: await oldestOf(visit, services, troubled),
    missing: services.missing,
  };
}

/** Of the endpoints that have taken nothing for longest: the age of the oldest event, the oldest first. */
async function oldestOf(
  visit: ConsoleVisit,
  services: Services,
  endpoints: readonly TroubledEndpoint[],
) {
  const lastTime = (endpoint: TroubledEndpoint) => endpoint.last_success_at ?? '';
  const stuck = endpoints
    .filter(({ state }) => state !== 'stopped')
    .toSorted((a, b) => lastTime(a).localeCompare(lastTime(b)))
    .slice(0, OLDEST_MAX);
  const found = await Promise.all(
    stuck.map(({ source, id, url }) =>
      services.rowsOf(serviceOf(source), async () => {
        const { endpoints: admin } = sourceOf({ ...visit, params: { source } });
        const age = await admin
          .status({ id })
          .then(({ oldest_pending_age_seconds: seconds }) => seconds, unlessDeleted);
        return age === null ? [] : [{ source, id, url, age }];
      }),
    ),
  );
  return found.flat().toSorted((a, b) => b.age - a.age);
}

/** An endpoint may be deleted after it was listed. */
function unlessDeleted(error: unknown): null {
  if (error instanceof GatehouseError && error.status === 404) return null;
  throw error;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
