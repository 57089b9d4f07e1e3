import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { type HitRepository } from '../../hits/hit.repository.js';
import { type Hit, HIT_KINDS } from '../../hits/hit.types.js';
import { violationMessage } from '../body.input.js';

export interface SearchQuery {
  /** 1 to 255 characters, without the spaces around them. */
  query: string;
  /** The records of each kind; default 5, at most 20. */
  pageLimit?: number;
}

export interface SearchResult {
  hits: Hit[];
  /** Whether there are more records of a kind: a longer query finds them. */
  is_more: boolean;
}

const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 20;

/** The `search` operations of the controller object. */
export class Search {
  constructor(private readonly hits: HitRepository) {}

  /**
   * Records of all directories: by id, if the query is a UUID, or else by the beginning of one of their
   * texts, regardless of case. A UUID finds the users and groups that have it at their provider, too. 400 for
   * a bad query.
   */
  async find(options: SearchQuery): Promise<SearchResult> {
    const { query, pageLimit } = options ?? {};
    const trimmed = typeof query === 'string' ? query.trim() : query;
    const input = InputReader.ofQuery({ query: trimmed, pageLimit }, { message: violationMessage });
    const text = input.requiredText('query');
    const limit = Math.min(input.integer('pageLimit', { min: 1 }) ?? LIMIT_DEFAULT, LIMIT_MAX);
    input.throwIfInvalid();
    const id = text.toLowerCase();
    const found = isUuid(id)
      ? await this.hits.byId(id, limit + 1)
      : await this.hits.byText(text, limit + 1);
    const byKind = HIT_KINDS.map((kind) => found.filter((hit) => hit.kind === kind));
    return {
      hits: byKind.flatMap((hits) => hits.slice(0, limit)),
      is_more: byKind.some((hits) => hits.length > limit),
    };
  }
}
