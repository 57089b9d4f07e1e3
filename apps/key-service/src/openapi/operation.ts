/** The description of a route: a decorator on controllers, a list for native routes. */
import { schemaRef } from '@gatehouse/service-kit';
import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { type Schema } from './schema-parts.js';

export interface Operation {
  /** Unique; the name of the function in a generated client. */
  id: string;
  summary: string;
  tag: 'Keys' | 'Verification' | 'Tokens' | 'Audit' | 'Operations';
  /** Named schema of the body. */
  body?: string;
  /** Whether the body may be left out. */
  isBodyOptional?: boolean;
  query?: Readonly<Record<string, Parameter>>;
  headers?: Readonly<Record<string, Parameter>>;
  answer: {
    status: number;
    schema?: string;
    description: string;
    /** Descriptions of the response headers, by name. */
    headers?: Readonly<Record<string, string>>;
  };
  errors: readonly number[];
  isPublic?: boolean;
}

/** A native route: method and path as OpenAPI writes them. */
export interface NativeOperation extends Operation {
  method: 'get' | 'post';
  path: string;
  /** Set where `Authorization` holds the client's credential. */
  isAdminHeaderOnly?: boolean;
  /** The schemas of further answers that are no errors, by status. */
  otherAnswers?: Readonly<Record<number, string>>;
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

/** The security schemes of the admin surface; either is enough. */
export const ADMIN_SECURITY = 'adminKey';
export const ADMIN_HEADER_SECURITY = 'adminHeader';

export const LOCATION = { Location: 'Where the key is.' };

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'A field is not valid; the details name it.',
  401: 'The credential is missing, unknown or no longer valid.',
  402: 'There are as many keys as MAX_KEYS allows.',
  403: 'The credential may not do this.',
  404: 'There is no such key.',
  409: 'The state of the key does not allow this.',
  413: 'The body is too large.',
  415: 'The body is no JSON.',
  429: 'The rate limit of the credential is exhausted.',
};

/** The error answers of an operation, including those of the admin guard and of body parsing. */
export function errorsOf({ errors, isPublic, body }: Operation): [number | 'default', string][] {
  const guard = isPublic ? [] : [401, 403, 429];
  const ofBody = body === undefined ? [] : [400, 413, 415];
  const all = [...new Set([...errors, ...guard, ...ofBody])].sort();
  return [
    ...all.map((status): [number, string] => [status, ERROR_TEXTS[status] ?? 'Refused.']),
    ['default', 'Another fault, such as 503 while a store is away.'],
  ];
}

export function headersOf({ headers = {} }: Operation['answer']): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
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
    ...(operation.isPublic
      ? []
      : [ApiBearerAuth(ADMIN_SECURITY), ApiSecurity(ADMIN_HEADER_SECURITY)]),
    ...(body
      ? [ApiBody({ schema: schemaRef(body) as never, required: !operation.isBodyOptional })]
      : []),
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
      headers: headersOf(answer),
      ...(answer.schema && { schema: schemaRef(answer.schema) }),
    }),
    ...errorsOf(operation).map(([status, description]) =>
      ApiResponse({ status, description, schema: schemaRef('Error') }),
    ),
  );
}
