/** Reads Polis through its management API, whatever it stores its records in. */
import {
  type DirectoryContent,
  type ResourceKind,
  type SourceDirectory,
  type SourceGroup,
  type SourceUser,
} from '@gatehouse/directory-sync/imports';
import { StackFault } from '#local-stack/fault.mjs';
import { JsonApi } from '../http-json.js';
import {
  directoryOf,
  groupOf,
  type PolisDirectory,
  type PolisGroup,
  type PolisMember,
  type PolisSource,
  type PolisUser,
  userOf,
} from './polis-records.js';

/** Polis answers with fewer, as many as its DB_PAGE_LIMIT says. */
const PAGE = 500;
const REQUESTS_AT_ONCE = 8;

interface Page<T> {
  data?: T[];
  /** Only from DynamoDB. */
  pageToken?: string;
}

/**
 * @param products whose directories are read: the API lists directories by product only
 */
export function openPolisApi(
  url: string,
  apiKey: string,
  products: readonly string[],
  signal: AbortSignal,
): PolisSource {
  if (products.length === 0) {
    throw new StackFault(
      'The API of Polis lists directories by product only',
      'Add --product NAME, once for each product, or read the database',
      2,
    );
  }
  return new PolisApi(new JsonApi(url, { Authorization: `Api-Key ${apiKey}` }, signal), products);
}

class PolisApi implements PolisSource {
  constructor(
    private readonly api: JsonApi,
    private readonly products: readonly string[],
  ) {}

  async *directories(): AsyncGenerator<SourceDirectory> {
    for (const product of this.products) {
      const directories: SourceDirectory[] = [];
      for await (const page of this.pages<PolisDirectory>('/product', { product })) {
        directories.push(...page.map(directoryOf));
      }
      const distinct = new Map(directories.map((directory) => [directory.id, directory]));
      // The oldest first.
      yield* [...distinct.values()].reverse();
    }
  }

  contentOf({ id: directoryId }: SourceDirectory): DirectoryContent {
    return {
      users: () => this.users(directoryId),
      groups: () => this.groups(directoryId),
      deleted: (kind, ids) => this.deleted(directoryId, kind, ids),
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async *users(directoryId: string): AsyncGenerator<SourceUser[]> {
    for await (const page of this.pages<PolisUser>('/users', { directoryId })) {
      yield page.map(userOf);
    }
  }

  private async *groups(directoryId: string): AsyncGenerator<SourceGroup[]> {
    for await (const page of this.pages<PolisGroup>('/groups', { directoryId })) {
      yield await mapAtOnce(page, async (group) =>
        groupOf(group, await this.membersOf(directoryId, group.id)),
      );
    }
  }

  private async membersOf(directoryId: string, groupId: string): Promise<string[]> {
    const path = `/groups/${encodeURIComponent(groupId)}/members`;
    const memberIds: string[] = [];
    for await (const page of this.pages<PolisMember>(path, { directoryId })) {
      memberIds.push(...page.map(({ user_id }) => user_id));
    }
    return memberIds;
  }

  /** A page can lack what was moved to the page before meanwhile, so each is asked for. */
  private async deleted(
    directoryId: string,
    kind: ResourceKind,
    ids: readonly string[],
  ): Promise<string[]> {
    const isGone = await mapAtOnce(ids, async (id) => {
      const query = new URLSearchParams({ directoryId });
      const { status } = await this.api.get(`${PREFIX}/${kind}s/${id}?${query.toString()}`, [404]);
      return status === 404;
    });
    return ids.filter((_, index) => isGone[index]);
  }

  private async *pages<T>(path: string, by: Record<string, string>): AsyncGenerator<T[]> {
    let offset = 0;
    let pageToken: string | undefined;
    let lastFirst: string | undefined;
    for (;;) {
      const query = new URLSearchParams({
        ...by,
        pageOffset: String(offset),
        pageLimit: String(PAGE),
        ...(pageToken === undefined ? {} : { pageToken }),
      });
      const { body } = await this.api.get(`${PREFIX}${path}?${query.toString()}`);
      const { data, pageToken: next } = (body ?? {}) as Page<T>;
      if (!Array.isArray(data)) {
        throw new StackFault(
          `The answer of ${PREFIX}${path} is not that of Polis`,
          'Check POLIS_URL',
        );
      }
      // DynamoDB knows no offsets, so a listing of one page would begin anew for ever.
      const first = JSON.stringify(data[0]);
      if (data.length > 0 && first === lastFirst) return;
      lastFirst = first;
      if (data.length > 0) yield data;
      const isLast = pageToken !== undefined && !next;
      if (isLast || (data.length === 0 && !next)) return;
      pageToken = next;
      offset += data.length;
    }
  }
}

const PREFIX = '/api/v1/dsync';

/** As `map`, with a few calls at once, in order. */
async function mapAtOnce<T, R>(
  items: readonly T[],
  call: (item: T) => Promise<R>,
): Promise<Awaited<R>[]> {
  const results: Awaited<R>[] = [];
  for (let at = 0; at < items.length; at += REQUESTS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + REQUESTS_AT_ONCE).map(call))));
  }
  return results;
}
