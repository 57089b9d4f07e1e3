import { issuedSecretPattern } from '@gatehouse/crypto';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type InputReader } from '@gatehouse/kit/input';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../../config.js';
import { NeedsScope } from '../needs-scope.js';
import { type KeyOperation } from '../../api/openapi/operation.js';
import { callContextOf } from '../../api/call-context.js';
import { readCredential } from '../../api/fields/credential.js';
import { RequestInput } from '../../api/input.js';
import { type LeakReport } from './leak-report.js';
import { type LeakResult, LeaksService } from './leaks.service.js';

const REPORTS_MAX = 100;
const URL_CHARACTERS_MAX = 2_048;

/** Reports of operators and of scanners other than GitHub. */
@Controller('v2alpha1/admin')
export class LeaksController {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: LeaksService,
  ) {}

  @Post('apiKeys::reportLeaks')
  @HttpCode(200)
  @NeedsScope('keys:report')
  @Describe<KeyOperation>({
    id: 'adminReportLeaks',
    summary: 'Report credentials that were found where they should not be',
    description: 'LEAK_ACTION says whether their keys are revoked.',
    tag: 'Leaks',
    body: 'ReportLeaksRequest',
    answer: {
      status: 200,
      schema: 'ReportLeaksResponse',
      description: 'The kind of each credential, in order.',
    },
    errors: [400],
  })
  async report(@Req() request: FastifyRequest, @Body() json: unknown) {
    const body = this.input.body(json);
    const items = body.list('requests', { min: 1, max: REPORTS_MAX });
    body.throwIfInvalid();
    const reports = items.map((item, index) =>
      readReport(this.input.body(item, `requests[${index}]`)),
    );
    const context = callContextOf(this.addresses, request, adminCallerOf(request));
    const results = await this.service.report(reports, context);
    return { results: results.map(viewOf) };
  }

  @Get('apiKeys::leakPattern')
  @NeedsScope('keys:report')
  @Describe<KeyOperation>({
    id: 'adminGetLeakPattern',
    summary: 'Get the regular expression that finds secrets of this service',
    tag: 'Leaks',
    answer: { status: 200, schema: 'LeakPattern', description: 'To register with scanners.' },
    errors: [],
  })
  pattern() {
    const prefixes = [...this.config.secretPrefixes, ...this.config.retiredPrefixes];
    return { pattern: issuedSecretPattern(prefixes), prefixes };
  }
}

function readReport(body: InputReader): LeakReport {
  const credential = readCredential(body);
  const url = body.text('url', { max: URL_CHARACTERS_MAX });
  const source = body.text('source');
  body.throwIfInvalid();
  return { credential, url, source };
}

function viewOf({ key, isExposed }: LeakResult): object {
  return {
    is_exposed: isExposed,
    key_id: key?.keyId ?? '',
    status: key?.status ?? 'KEY_STATUS_UNSPECIFIED',
  };
}
