import { LRUCache } from 'lru-cache';
import { type EndpointKey } from '../endpoints/endpoint.types.js';

const SOURCES_MAX = 20_000;

interface Seen {
  ids: readonly string[];
  /** Set once the ids have been used: called if they may lack an endpoint. */
  onMissed?: () => void;
}

/**
 * The endpoints of sources that may run, as the last claim of each source has seen them, so that the next
 * event needs no statement to find them. They are used once, and a claim that sees others calls `onMissed`.
 */
export class SourceEndpoints {
  private readonly seen = new LRUCache<string, Seen>({ max: SOURCES_MAX });

  /** @param read finds them in the database */
  constructor(private readonly read: (sourceId: string) => Promise<EndpointKey[]>) {}

  async of(sourceId: string, onMissed: () => void): Promise<EndpointKey[]> {
    const seen = this.seen.get(sourceId);
    if (!seen || seen.onMissed) return this.read(sourceId);
    seen.onMissed = onMissed;
    return seen.ids.map((id) => ({ id, sourceId }));
  }

  /** @param ids what a claim has seen; undefined if its endpoint is gone, or another run holds it */
  keep(sourceId: string, ids: readonly string[] | undefined): void {
    const before = this.seen.get(sourceId);
    if (ids && ids.length > 0) this.seen.set(sourceId, { ids });
    else this.seen.delete(sourceId);
    const isMissed = ids?.some((id) => !before?.ids.includes(id)) ?? true;
    if (isMissed) before?.onMissed?.();
  }
}
