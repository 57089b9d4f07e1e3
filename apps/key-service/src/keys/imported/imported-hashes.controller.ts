import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type InputReader, millisecondsOf } from '@gatehouse/kit/input';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyRequest } from 'fastify';
import { type HashCounts } from '../../store/hashes/hashes.repository.js';
import { type KeyOperation } from '../../api/openapi/operation.js';
import { callContextOf } from '../../api/call-context.js';
import { HASH_ALGORITHMS, type HashAlgorithm } from '../../store/hashes/hash.types.js';
import { RequestInput } from '../../api/input.js';
import { HashMigrationService } from './hash-migration.service.js';
import { NeedsScope } from '../needs-scope.js';

const ALGORITHMS = HASH_ALGORITHMS.slice(1);
const ANSWER = {
  status: 200,
  schema: 'ImportedHashes',
  description: 'The keys that were imported by a hash, counted.',
} as const;

/** How far the keys that were imported by a hash have moved, and the end of those that are not used. */
@Controller('v2alpha1/admin')
export class ImportedHashesController {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: HashMigrationService,
  ) {}

  @Get('importedHashes')
  @Describe<KeyOperation>({
    id: 'adminGetImportedHashes',
    summary: 'Count the keys that were imported by a hash',
    tag: 'Keys',
    answer: ANSWER,
    errors: [],
  })
  async get() {
    return viewOf(await this.service.progress());
  }

  @Post('importedHashes::drop')
  @HttpCode(200)
  @NeedsScope('keys:revoke')
  @Describe<KeyOperation>({
    id: 'adminDropImportedHashes',
    summary: 'Drop the hashes of keys that are not used by a date',
    description:
      'Their keys are revoked then. A time later than the planned one needs the scope `keys:issue`.',
    tag: 'Keys',
    body: 'DropImportedHashesRequest',
    answer: ANSWER,
    errors: [400],
  })
  async drop(@Req() request: FastifyRequest, @Body() json: unknown) {
    const body = this.input.body(json);
    const text = body.requiredText('drop_time');
    const timeMs = millisecondsOf(text);
    if (text !== '' && Number.isNaN(timeMs)) {
      body.addViolation('drop_time', 'must be an RFC 3339 time', undefined);
    }
    const algorithms = readAlgorithms(body);
    body.throwIfInvalid();
    return this.plan(request, new Date(timeMs), algorithms);
  }

  @Post('importedHashes::keep')
  @HttpCode(200)
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
    id: 'adminKeepImportedHashes',
    summary: 'Keep hashes that were to be dropped',
    description: 'Hashes that were dropped already are gone.',
    tag: 'Keys',
    body: 'KeepImportedHashesRequest',
    answer: ANSWER,
    errors: [400],
  })
  async keep(@Req() request: FastifyRequest, @Body() json: unknown) {
    const body = this.input.body(json);
    const algorithms = readAlgorithms(body);
    body.throwIfInvalid();
    return this.plan(request, null, algorithms);
  }

  private async plan(request: FastifyRequest, time: Date | null, algorithms: HashAlgorithm[]) {
    const caller = adminCallerOf(request);
    const call = callContextOf(this.addresses, request, caller);
    return viewOf(await this.service.planDrop(time, algorithms, call, caller));
  }
}

/** All when none is named. */
function readAlgorithms(body: InputReader): HashAlgorithm[] {
  const names = body
    .list('algorithms', { max: ALGORITHMS.length })
    .map((name) => (typeof name === 'number' ? HASH_ALGORITHMS[name] : name));
  names.forEach((name, index) => {
    if (ALGORITHMS.some((each) => each === name)) return;
    const fault = `must be one of ${ALGORITHMS.join(', ')}`;
    body.addViolation(`algorithms[${index}]`, fault, undefined);
  });
  return names.length > 0 ? (names as HashAlgorithm[]) : [...ALGORITHMS];
}

function viewOf(counts: readonly HashCounts[]) {
  return {
    algorithms: counts.map(({ algorithm, dropTime, ...count }) => ({
      algorithm,
      total_count: count.total,
      rekeyed_count: count.rekeyed,
      pending_count: count.pending,
      ended_count: count.ended,
      dropped_count: count.dropped,
      drop_time: dropTime?.toISOString() ?? null,
    })),
  };
}
