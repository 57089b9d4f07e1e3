/** Where webhook endpoints and their events belong: to a service, or to a directory. */
import { type Gatehouse, GatehouseError, type KeysWebhookEndpoint } from '@gatehouse/client';
import { isUuid } from '@gatehouse/kit/ids';
import { type ControlScope } from '@gatehouse/schemas';
import { type ConsoleVisit } from '../site/pages.js';
import { type Service, type Services } from '../site/services.js';

/** The operations are the same in all services, but for the types of events. */
type Endpoints = Gatehouse['keys']['webhookEndpoints'];
type Events = Pick<Gatehouse['keys']['events'], 'get' | 'resend' | 'replay'>;
export type EventRecord = Awaited<ReturnType<Events['get']>>;
export type Endpoint = Omit<KeysWebhookEndpoint, 'types'> & {
  readonly types: readonly string[] | null;
};

export interface WebhookSource {
  /** `keys`, `identities`, or the id of a directory, as paths have it. */
  readonly id: string;
  /** Needed for changes. */
  readonly scope: ControlScope;
  readonly endpoints: Endpoints;
  readonly events: Events;
}

/** The source that a path names. @throws GatehouseError 404 for an unknown name */
export function sourceOf({ gatehouse, params }: ConsoleVisit): WebhookSource {
  const { source: id } = params;
  const { keys, identities, directories } = gatehouse;
  if (id === 'keys') {
    const { webhookEndpoints: endpoints, events } = keys;
    return { id, scope: 'keys:admin', endpoints, events };
  }
  if (id === 'identities') {
    const { webhookEndpoints, events } = identities;
    return {
      id,
      scope: 'forms:admin',
      endpoints: webhookEndpoints as unknown as Endpoints,
      events: events as unknown as Events,
    };
  }
  const directoryId = requireId(id);
  const { get, resend, replay } = directories.events;
  return {
    id: directoryId,
    scope: 'dsync:admin',
    endpoints: ofDirectory(directories.webhookEndpoints, directoryId) as unknown as Endpoints,
    events: { get, resend, ...ofDirectory({ replay }, directoryId) } as unknown as Events,
  };
}

/** The service that a source belongs to. */
export function serviceOf(source: string): Service {
  if (source === 'keys') return 'keys';
  return source === 'identities' ? 'forms' : 'directories';
}

/** The endpoints of a service that is a source itself: at most ten. */
export function endpointsOf(services: Services, source: 'keys' | 'identities') {
  return services.rowsOf(serviceOf(source), async (gatehouse) => {
    const { webhook_endpoints: all } = await gatehouse[source].webhookEndpoints.list();
    return all.map((endpoint: Endpoint) => ({ endpoint, source }));
  });
}

/** The operations with the directory that they are about. */
function ofDirectory(operations: object, directoryId: string): object {
  const entries = Object.entries(operations) as [string, (input: object) => unknown][];
  return Object.fromEntries(
    entries.map(([name, call]) => [name, (input: object) => call({ ...input, directoryId })]),
  );
}

/** @throws GatehouseError 404 for what is no id */
export function requireId(text = ''): string {
  if (isUuid(text)) return text;
  throw new GatehouseError({ status: 404, message: 'There is no such id.' });
}

/** The path of an endpoint, or of an act on it. */
export function endpointPath(source: string, id: string, act = ''): string {
  return `/webhooks/${source}/${id}${act && `/${act}`}`;
}

export function eventPath(source: string, id: string): string {
  return `/events/${source}/${id}`;
}
