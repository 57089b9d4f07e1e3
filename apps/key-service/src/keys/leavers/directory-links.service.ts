import { type KeyRing } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { type Page, type PageRequest, PageTokens } from '@gatehouse/kit/paging';
import { Inject, Injectable } from '@nestjs/common';
import { KeyErrors } from '../../errors.js';
import { HMAC_RING } from '../../key-rings.js';
import {
  type DirectoryLink,
  type KeyOfLeaver,
  LinksRepository,
} from '../../store/people/links.repository.js';
import { UNMATCHED_MAX } from './leavers.tasks.js';

/** What a link would do today. */
export interface LinkPreview {
  /** Working keys of people who have left. */
  readonly keys: Page<KeyOfLeaver>;
  /** Actors that are no person, at most UNMATCHED_MAX. */
  readonly unmatchedActors: readonly string[];
}

/** Shows which directories stop keys, and what they would stop. */
@Injectable()
export class DirectoryLinksService {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly links: LinksRepository,
  ) {
    this.pageTokens = PageTokens.fromRing(ring);
  }

  list(
    scope: { tenant: string | null; product: string | null },
    page: PageRequest,
  ): Promise<Page<DirectoryLink>> {
    return this.pageTokens.page(JSON.stringify(['directoryLinks', scope]), page, {
      fetch: (after, limit) => this.links.list(scope, after, limit),
      positionOf: ({ tenant, product }) => [tenant, product],
    });
  }

  async preview(tenant: string, product: string, page: PageRequest): Promise<LinkPreview> {
    const link = await this.links.find(tenant, product);
    if (!link) throw new DomainError(KeyErrors.DIRECTORY_LINK_NOT_FOUND);
    const [keys, unmatchedActors] = await Promise.all([
      this.pageTokens.page(JSON.stringify(['linkPreview', tenant, product]), page, {
        fetch: (after, limit) => this.links.keysOfLeavers(link, after, limit),
        positionOf: ({ actorId, keyId }) => [actorId, keyId],
      }),
      this.links.unmatchedActors(link, UNMATCHED_MAX),
    ]);
    return { keys, unmatchedActors };
  }
}
