import { type Call, type Connection } from '../connection/index.js';
import { type DirectoryEvent } from './directory-event.js';

/** The directories that are followed: one, those of a product, or all. */
export interface DirectoryScope {
  readonly directoryId?: string;
  readonly product?: string;
  /** Of the product, only this tenant. */
  readonly tenant?: string;
}

interface Directory {
  readonly id: string;
  readonly tenant: string;
  readonly product: string;
}

/** The server sends fewer if they are large. */
const EVENTS_MAX = 200;
const LISTED_MAX = 1_000;
const OVERLAP_MAX = 20;

/** The part of the management API that a follower reads. */
export class DirectoryApi {
  constructor(
    private readonly connection: Connection,
    private readonly scope: DirectoryScope,
  ) {}

  /**
   * The next events behind one, oldest first; none at the end of the log.
   *
   * @param after id of any event in the log; '' for its beginning
   * @throws GatehouseError 404 if that event is no longer in the log
   */
  async events(after: string): Promise<DirectoryEvent[]> {
    const query = { ...this.scope, after, limit: EVENTS_MAX };
    const logged = await this.read<(DirectoryEvent & Delivery)[]>('/events', query);
    return logged.map(({ state: _state, attempts: _attempts, ...event }) => event);
  }

  /** @throws GatehouseError 404 if it is not in the log */
  event(id: string): Promise<DirectoryEvent> {
    return this.read(`/events/${encodeURIComponent(id)}`);
  }

  /** The id of the newest event of all directories; '' if the log is empty. */
  async latestEvent(): Promise<string> {
    return (await this.read<{ id: string }>('/events/latest')).id;
  }

  async *directories(): AsyncGenerator<Directory, void> {
    const { directoryId, tenant, product } = this.scope;
    const query = { secrets: 'false' };
    if (directoryId) yield await this.read(`/${encodeURIComponent(directoryId)}`, query);
    else if (tenant || !product) yield* this.list('', { tenant, product, ...query });
    else yield* this.list('/product', { product, ...query });
  }

  /**
   * Lists resources, newest first. One that is deleted meanwhile moves the later ones to lower offsets, so a
   * page begins with the end of the page before: none is left out, but one may come twice. A page of one
   * resource, of several megabytes, overlaps none.
   */
  async *list<Resource extends { readonly id: string }>(
    path: string,
    query: Query,
  ): AsyncGenerator<Resource, void> {
    let known = new Set<string>();
    let overlap = 0;
    for (let offset = 0; ;) {
      const page = { ...query, pageOffset: offset, pageLimit: LISTED_MAX };
      const response = await this.connection.send(callOf(path, page));
      const rows = await this.dataOf<Resource[]>(response);
      const fresh = rows.filter(({ id }) => !known.has(id));
      if (offset > 0 && overlap > 0 && fresh.length === rows.length) {
        offset = Math.max(0, offset - LISTED_MAX);
        continue;
      }
      yield* fresh;
      // Names the next page.
      if (!response.headers.has('link')) return;
      known = new Set(rows.map(({ id }) => id));
      overlap = Math.min(OVERLAP_MAX, Math.floor(rows.length / 2));
      offset += rows.length - overlap;
    }
  }

  private async read<Data>(path: string, query: Query = {}): Promise<Data> {
    return this.dataOf(await this.connection.send(callOf(path, query)));
  }

  private async dataOf<Data>(response: Response): Promise<Data> {
    return ((await this.connection.read(response)) as { data: Data }).data;
  }
}

function callOf(path: string, query: Query): Call {
  const search = new URLSearchParams();
  for (const [name, value = ''] of Object.entries(query)) {
    if (value !== '') search.set(name, String(value));
  }
  return { method: 'GET', path: `/api/v1/dsync${path}?${search.toString()}` };
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** What became of the webhooks of an event. */
interface Delivery {
  readonly state: unknown;
  readonly attempts: unknown;
}
