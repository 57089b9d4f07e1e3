import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

class Fault {
  @ApiProperty()
  message!: string;

  @ApiProperty({ description: 'The HTTP status.' })
  code!: number;
}

const NULL = { type: 'object', nullable: true, enum: [null] };

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Something is missing or wrong; the message names the field.',
  401: 'No valid management credential.',
  404: 'There is none, for this caller.',
  405: 'Another method; Allow names those that work.',
  413: 'A body of more than 1 MiB.',
  415: 'A body that is not JSON.',
  429: 'The rate limit of the credential is exhausted; Retry-After says when to try again.',
  503: 'Not now; Retry-After says when.',
};

const ALWAYS = [401, 429, 503];

interface AnswerOptions {
  /** The type of `data`; null if it is always null. */
  data: Type | [Type] | null;
  status?: number;
  faults?: readonly number[];
}

/** Describes the response `{data, error}` and the errors of a route. */
export function Answers({ data, status = 200, faults = [] }: AnswerOptions): MethodDecorator {
  const model = Array.isArray(data) ? data[0] : data;
  const reference = model ? { $ref: getSchemaPath(model) } : NULL;
  const shown = Array.isArray(data) ? { type: 'array', items: reference } : reference;
  return applyDecorators(
    ApiExtraModels(Fault, ...(model ? [model] : [])),
    ApiResponse({
      status,
      description: 'Done.',
      schema: {
        type: 'object',
        required: ['data', 'error'],
        properties: { data: shown as object, error: NULL },
      },
    }),
    ...[...faults, ...ALWAYS].map((code) =>
      ApiResponse({
        status: code,
        description: MEANINGS[code] ?? 'Refused.',
        schema: {
          type: 'object',
          required: ['data', 'error'],
          properties: { data: NULL, error: { $ref: getSchemaPath(Fault) } },
        },
      }),
    ),
  );
}
