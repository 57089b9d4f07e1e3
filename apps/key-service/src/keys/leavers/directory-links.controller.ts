import { readPageRequest } from '@gatehouse/kit/paging';
import { Describe, optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { RequestInput } from '../../api/input.js';
import { type KeyOperation, PAGE_QUERY } from '../../api/openapi/operation.js';
import { type DirectoryLink, type KeyOfLeaver } from '../../store/people/links.repository.js';
import { leaverView } from '../../store/keys/leaver.js';
import { DirectoryLinksService } from './directory-links.service.js';

const SHOWN_UNMATCHED_MAX = 100;
const SCOPE_QUERY = optionalParameters('query', {
  tenant: text(undefined, { example: 'customer-17' }),
  product: text(undefined, { example: 'shop' }),
});

@Controller('v2alpha1/admin')
export class DirectoryLinksController {
  constructor(
    private readonly input: RequestInput,
    private readonly links: DirectoryLinksService,
  ) {}

  @Get('directoryLinks')
  @Describe<KeyOperation>({
    id: 'adminListDirectoryLinks',
    summary: 'List which directories stop the keys of people who leave',
    tag: 'Leavers',
    parameters: [...PAGE_QUERY, ...SCOPE_QUERY],
    answer: { status: 200, schema: 'ListDirectoryLinksResponse', description: 'A page of links.' },
    errors: [400],
  })
  async list(@Query() parameters: object) {
    const query = this.input.query(parameters);
    const page = readPageRequest(query);
    const scope = { tenant: query.text('tenant') || null, product: query.text('product') || null };
    query.throwIfInvalid();
    const { rows, nextPageToken } = await this.links.list(scope, page);
    return { directory_links: rows.map(linkView), next_page_token: nextPageToken };
  }

  @Get('directoryLinks::preview')
  @Describe<KeyOperation>({
    id: 'adminPreviewDirectoryLink',
    summary: 'List the keys that a link would stop today, and the actors that are no person',
    tag: 'Leavers',
    parameters: [...PAGE_QUERY, ...SCOPE_QUERY],
    answer: { status: 200, schema: 'DirectoryLinkPreview', description: 'A page of keys.' },
    errors: [400, 404],
  })
  async preview(@Query() parameters: object) {
    const query = this.input.query(parameters);
    const page = readPageRequest(query);
    const tenant = query.text('tenant');
    const product = query.text('product');
    query.throwIfInvalid();
    const { keys, unmatchedActors } = await this.links.preview(tenant, product, page);
    return {
      keys: keys.rows.map(keyOfLeaverView),
      next_page_token: keys.nextPageToken,
      unmatched_actors: unmatchedActors.slice(0, SHOWN_UNMATCHED_MAX),
      unmatched_actor_count: unmatchedActors.length,
    };
  }
}

function linkView(link: DirectoryLink) {
  return {
    ...link,
    update_time: link.update_time.toISOString(),
    snapshot_time: link.snapshot_time?.toISOString() ?? null,
    count_time: link.count_time?.toISOString() ?? null,
  };
}

function keyOfLeaverView({ keyId, kind, name, actorId, sourceId, userId }: KeyOfLeaver) {
  const leaver = leaverView({ sourceId, userId });
  return { key_id: keyId, kind, name, actor_id: actorId, leaver };
}
