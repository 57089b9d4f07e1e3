import { readPageRequest } from '@gatehouse/kit/paging';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type KeyKind } from '../../store/keys/key.types.js';
import { KeyIdPipe } from '../key-id.pipe.js';
import { KeysService } from '../keys.service.js';
import { type KeyOperation, USAGE_QUERY } from '../../api/openapi/operation.js';
import { RequestInput } from '../../api/input.js';
import { usageCsv } from './usage-csv.js';
import { type UsagePoint, UsageQueries } from './usage-queries.js';
import { readUsageQuery } from './usage-query.js';

const PAGE_SIZE_MAX = 5_000;

const OPERATION = {
  tag: 'Usage',
  parameters: USAGE_QUERY,
  answer: {
    status: 200,
    schema: 'ListUsageResponse',
    description: 'A page of counts, the oldest first. Times without verifications are left out.',
    content: {
      'text/csv': {
        schema: { type: 'string' },
        example: 'time,outcome,count,cost\r\n2026-01-15T09:00:00.000Z,valid,417,417\r\n',
      },
    },
    headers: { Link: 'The next page of CSV, as rel="next".' },
  },
} as const;

type Answer = { usage: UsagePoint[]; next_page_token: string } | string;

@Controller('v2alpha1/admin')
export class UsageController {
  constructor(
    private readonly input: RequestInput,
    private readonly queries: UsageQueries,
    private readonly keys: KeysService,
  ) {}

  @Get('usage')
  @Describe<KeyOperation>({
    ...OPERATION,
    id: 'adminListUsage',
    summary: 'Count verifications by time, key, actor, tag and outcome',
    errors: [400],
  })
  list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: object,
  ): Promise<Answer> {
    return this.answer(request, reply, query);
  }

  @Get('issuedApiKeys/:key_id/usage')
  @Describe<KeyOperation>({
    ...OPERATION,
    id: 'adminListIssuedApiKeyUsage',
    summary: 'Count verifications of an issued key',
    errors: [400, 404],
  })
  ofIssued(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Query() query: object,
  ): Promise<Answer> {
    return this.ofKey('issued', keyId, request, reply, query);
  }

  @Get('importedApiKeys/:key_id/usage')
  @Describe<KeyOperation>({
    ...OPERATION,
    id: 'adminListImportedApiKeyUsage',
    summary: 'Count verifications of an imported key',
    errors: [400, 404],
  })
  ofImported(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Query() query: object,
  ): Promise<Answer> {
    return this.ofKey('imported', keyId, request, reply, query);
  }

  private async ofKey(
    kind: KeyKind,
    keyId: string,
    request: FastifyRequest,
    reply: FastifyReply,
    query: object,
  ): Promise<Answer> {
    await this.keys.get(kind, keyId);
    return this.answer(request, reply, query, keyId);
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    query: object,
    keyId?: string,
  ): Promise<Answer> {
    const reader = this.input.query(query);
    const page = readPageRequest(reader, { max: PAGE_SIZE_MAX });
    const usage = readUsageQuery(reader, keyId);
    const { rows, nextPageToken } = await this.queries.page(usage, page);
    void reply.header('vary', 'Accept');
    if (!/\btext\/csv\b/i.test(request.headers.accept ?? '')) {
      return { usage: rows, next_page_token: nextPageToken };
    }
    void reply.type('text/csv; charset=utf-8; header=present');
    if (nextPageToken !== '') {
      const next = new URL(request.url, 'http://localhost');
      next.searchParams.delete('pageToken');
      next.searchParams.set('page_token', nextPageToken);
      void reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
    }
    return usageCsv(rows, usage.groupBy);
  }
}
