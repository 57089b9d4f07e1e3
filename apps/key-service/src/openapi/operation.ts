// What a route says about itself. Controllers wear it as a decorator, native routes export it.
import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { ref, type Schema } from './schema-parts.js';

export interface Operation {
  /** Unique; the name of the function in a generated client. */
  id: string;
  summary: string;
  tag: 'Keys' | 'Verification' | 'Tokens' | 'Audit';
  /** Named schema of the body. */
  body?: string;
  query?: Readonly<Record<string, Parameter>>;
  headers?: Readonly<Record<string, Parameter>>;
  answer: { status: number; schema?: string; description: string };
  errors: readonly number[];
  isPublic?: boolean;
}

export interface Parameter {
  type: 'string' | 'integer' | 'array';
  description: string;
}

export const LIST_QUERY: Operation['query'] = {
  page_size: { type: 'integer', description: 'Default 50, at most 1000.' },
  page_token: { type: 'string', description: 'The next_page_token of the page before.' },
  filter: { type: 'string', description: 'field="value", joined by AND.' },
};

export const UPDATE_QUERY: Operation['query'] = {
  update_mask: { type: 'string', description: 'Fields to change, separated by commas, or *.' },
};

/** The security scheme of the admin surface. */
export const ADMIN_SECURITY = 'adminKey';

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'A field is not valid; the details name it.',
  401: 'The credential is missing, unknown or no longer valid.',
  402: 'There are as many keys as MAX_KEYS allows.',
  403: 'The credential may not do this.',
  404: 'There is no such key.',
  409: 'The state of the key does not allow this.',
  413: 'The body is too large.',
  429: 'The rate limit of the credential is exhausted.',
};

/** The error answers of an operation; those of the guard come by themselves. */
export function errorsOf({ errors, isPublic }: Operation): [status: number, description: string][] {
  const all = [...new Set([...errors, ...(isPublic ? [] : [401, 403])])].sort();
  return all.map((status) => [status, ERROR_TEXTS[status] ?? 'The request was refused.']);
}

export function parameterSchema({ type }: Parameter): Schema {
  return type === 'array' ? { type, items: { type: 'string' } } : { type };
}

/** Describes a method of a controller. */
export function Describe(operation: Operation): MethodDecorator {
  const { id, summary, tag, body, query, answer } = operation;
  return applyDecorators(
    ApiTags(tag),
    ApiOperation({ operationId: id, summary }),
    ...(operation.isPublic ? [] : [ApiBearerAuth(ADMIN_SECURITY)]),
    ...(body ? [ApiBody({ schema: ref(body) as never })] : []),
    ...Object.entries(query ?? {}).map(([name, parameter]) =>
      ApiQuery({
        name,
        required: false,
        description: parameter.description,
        schema: parameterSchema(parameter) as never,
      }),
    ),
    ApiResponse({
      status: answer.status,
      description: answer.description,
      ...(answer.schema && { schema: ref(answer.schema) as never }),
    }),
    ...errorsOf(operation).map(([status, description]) =>
      ApiResponse({ status, description, schema: ref('Error') as never }),
    ),
  );
}
