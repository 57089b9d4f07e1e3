/** The batch import is a native route because its body may have 4 MiB. */
import { Injectable } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, toDomainError } from '@gatehouse/kit/errors';
import { invalidInput } from '@gatehouse/kit/input';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../../config.js';
import { batchImportExample } from '../../api/openapi/examples.js';
import { type NativeKeyOperation } from '../../api/openapi/operation.js';
import { callContextOf } from '../../api/call-context.js';
import { type BatchImportErrorCode } from '../../api/enums.js';
import { RequestInput } from '../../api/input.js';
import { type ImportInput, readImportInput } from '../key-input.js';
import { importedKeyView, type ImportedKeyView } from '../key.view.js';
import { type ImportOutcome, ImportService } from './import.service.js';

const PATHS = ['importedApiKeys::batchCreate', 'importedApiKeys::batchImport'];
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const BATCH_MAX = 1000;

export const BATCH_IMPORT_OPERATIONS: readonly NativeKeyOperation[] = [
  batchImport('batchCreate', 'adminBatchCreateImportedApiKeys'),
  batchImport('batchImport', 'adminBatchImportApiKeys'),
];

function batchImport(verb: string, id: string): NativeKeyOperation {
  return {
    method: 'post',
    path: `/v2alpha1/admin/importedApiKeys:${verb}`,
    id,
    summary: 'Import up to 1000 keys',
    tag: 'Keys',
    body: 'BatchCreateImportedApiKeysRequest',
    bodyExample: batchImportExample(`legacy-key-of-${verb}`),
    answer: {
      status: 200,
      schema: 'BatchCreateImportedApiKeysResponse',
      description: 'The result for each key; at least one was imported.',
    },
    errors: [400, 402, 409, 413],
  };
}

interface BatchItemView {
  index: number;
  imported_api_key?: ImportedKeyView;
  error_code?: BatchImportErrorCode;
  error_message?: string;
}

const CODE_BY_KIND: Partial<Record<DomainError['kind'], BatchImportErrorCode>> = {
  invalid_argument: 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INVALID_ARGUMENT',
  already_exists: 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_ALREADY_EXISTS',
  failed_precondition: 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_FAILED_PRECONDITION',
  payment_required: 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_RESOURCE_EXHAUSTED',
};

@Injectable()
export class BatchImportRoutes implements NativeRoutes {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly input: RequestInput,
    private readonly addresses: ClientAddresses,
    private readonly service: ImportService,
  ) {}

  register(scope: FastifyInstance): void {
    for (const path of PATHS) {
      const options = {
        bodyLimit: BODY_BYTES_MAX,
        config: { admin: { scope: 'keys:issue' } },
      } as const;
      scope.post(`/v2alpha1/admin/${path}`, options, (request, reply) =>
        this.import(request, reply),
      );
    }
  }

  private async import(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.input.checkParameters(request.query);
    const { items, isTrial } = this.read(request.body);
    const context = callContextOf(this.addresses, request, adminCallerOf(request));
    const imported = await this.service.importMany(items, context, isTrial);
    const outcomes = imported.map((outcome, index) =>
      outcome === items[index] ? outcome : placed(outcome, index),
    );
    const errors = outcomes.filter((outcome) => outcome instanceof Error).map(toDomainError);
    if (errors.length === outcomes.length) throw allFailed(errors);
    return reply.type('application/json; charset=utf-8').send(
      JSON.stringify({
        results: outcomes.map(itemView),
        success_count: outcomes.length - errors.length,
        failure_count: errors.length,
      }),
    );
  }

  private read(json: unknown): { items: (ImportInput | Error)[]; isTrial: boolean } {
    const body = this.input.body(json);
    const requests = body.list('requests', { min: 1, max: BATCH_MAX });
    const isTrial = body.boolean('validate_only') ?? false;
    body.throwIfInvalid();
    const items = requests.map((item, index) => {
      try {
        const reader = this.input.body(item, `requests[${index}]`);
        const input = readImportInput(reader, this.config);
        reader.throwIfInvalid();
        return input;
      } catch (error) {
        return toDomainError(error);
      }
    });
    return { items, isTrial };
  }
}

/** A fault that is not about the form of an item, whose reader has named the item already. */
function placed(outcome: ImportOutcome, index: number): ImportOutcome {
  if (!(outcome instanceof DomainError) || outcome.violations.length === 0) return outcome;
  return invalidInput(
    outcome.violations.map(({ field, description }) => ({
      field: `requests[${index}].${field}`,
      description,
    })),
  );
}

function itemView(outcome: ImportOutcome, index: number): BatchItemView {
  if (!(outcome instanceof Error)) return { index, imported_api_key: importedKeyView(outcome) };
  const error = toDomainError(outcome);
  return { index, error_code: codeOf(error), error_message: error.message };
}

function codeOf(error: DomainError): BatchImportErrorCode {
  return CODE_BY_KIND[error.kind] ?? 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INTERNAL';
}

/** An error with the most frequent fault; of equally frequent faults, the first one. */
function allFailed(errors: readonly DomainError[]): DomainError {
  const counts = new Map<string, number>();
  for (const { kind } of errors) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const mostFrequent = errors.find(({ kind }) => counts.get(kind) === most) as DomainError;
  const violations = errors.flatMap((error, index) =>
    error.violations.length > 0
      ? error.violations
      : [{ field: `requests[${index}]`, description: error.message }],
  );
  return new DomainError(mostFrequent.definition, {
    message: `No key was imported: ${mostFrequent.message}`,
    violations,
    metadata: { ...mostFrequent.metadata, failure_count: String(errors.length) },
  });
}
