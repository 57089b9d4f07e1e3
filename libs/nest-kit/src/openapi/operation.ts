/** Describes an operation: a decorator on controllers, a list for native routes. */
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { type Schema, schemaRef, text } from './schema.js';

export interface Operation {
  /** Unique; the name of the function in a generated client. */
  id: string;
  summary: string;
  description?: string;
  tag: string;
  /** The parameters, except for those that Nest derives from the path of a controller. */
  parameters?: readonly ParameterObject[];
  /** The name of the schema, or the content by media type. */
  body?: string | Content;
  /** The example of the body, by default that of its schema. */
  bodyExample?: unknown;
  isBodyOptional?: boolean;
  answer?: Answer & { status: number };
  /** Further responses that are not errors, by status. */
  otherAnswers?: Readonly<Record<number, Answer>>;
  /** Statuses of errors, in addition to `commonErrors` and those of the dialect. */
  errors?: readonly number[];
  /** Descriptions of headers of all errors, by name. */
  errorHeaders?: Readonly<Record<string, string>>;
  /** Overrides the security of the dialect. */
  security?: readonly object[];
  /** Whether the operation needs no credential. */
  isPublic?: boolean;
  /** The media type of the body and the answers, `application/json` by default. */
  mediaType?: string;
}

export interface Answer {
  description?: string;
  /** The name of a schema, or the schema itself. */
  schema?: string | Schema;
  /** By default that of the schema. */
  example?: unknown;
  /** Content in addition to `schema`. */
  content?: Content;
  /** Descriptions of the response headers, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** A native route: method and path as OpenAPI writes them. */
export type NativeOperation<Described extends Operation = Operation> = Described & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
};

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>;

/** Carries the description from the decorator to `completeDocument`, which removes it. */
export const OPERATION_EXTENSION = 'x-operation';

/**
 * The keys that `@nestjs/swagger` reads. Its own decorators would load it at every start, though only
 * the program that writes the document needs it.
 */
const EXTENSIONS = 'swagger/apiExtension';
const IS_LEFT_OUT = 'swagger/apiExcludeController';

/** Describes a method of a controller. */
export function Describe<Described extends Operation>(operation: Described): MethodDecorator {
  return applyDecorators(
    SetMetadata(EXTENSIONS, { [OPERATION_EXTENSION]: operation }),
    SetMetadata(OPERATION_EXTENSION, operation),
  );
}

/** Leaves a controller out of the document: its routes are no part of the API. */
export function Undescribed(): ClassDecorator {
  return SetMetadata(IS_LEFT_OUT, [true]);
}

/** The description of a method of a controller; undefined without `Describe`. */
export function operationOf(method: object): Operation | undefined {
  return Reflect.getMetadata(OPERATION_EXTENSION, method) as Operation | undefined;
}

/** The `content` of a request or response body. */
export function contentOf(schema: string | Schema, mediaType = 'application/json'): Content {
  return { [mediaType]: { schema: typeof schema === 'string' ? schemaRef(schema) : schema } };
}

/** A parameter, which is a text if its schema has no type. */
export function parameter(
  place: ParameterObject['in'],
  name: string,
  schema: Schema,
  more: Partial<ParameterObject> = {},
): ParameterObject {
  const typed = schema.$ref === undefined ? { type: 'string', ...schema } : schema;
  return { name, in: place, ...(place === 'path' && { required: true }), schema: typed, ...more };
}

/** Optional parameters by name; the description of a schema becomes that of its parameter. */
export function optionalParameters(
  place: 'query' | 'header',
  schemas: Readonly<Record<string, Schema>>,
): ParameterObject[] {
  return Object.entries(schemas).map(([name, { description, ...schema }]) =>
    parameter(place, name, schema, { required: false, ...(description && { description }) }),
  );
}

/** The same content with an example for each media type that has none. */
export function withExample(content: Content, exampleOf: (schema: Schema) => unknown): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, example = exampleOf(schema) }]) => [
      type,
      { schema, ...(example !== undefined && { example }) },
    ]),
  );
}

/**
 * The statuses that every operation with a guard may answer, and every one whose request may carry a
 * body, whether or not it expects one. The body of a GET is not read.
 */
export function commonErrors({ isPublic }: Pick<Operation, 'isPublic'>, method: string): number[] {
  return [...(isPublic ? [] : [401, 403]), ...(method === 'get' ? [] : [400, 413, 415])];
}

/** Headers that errors may carry, by status (RFC 9110). */
const ERROR_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'The scheme of the credential that is missing.' },
  429: { 'Retry-After': 'Seconds until a request is allowed again.' },
  503: { 'Retry-After': 'Seconds until a repetition makes sense.' },
  default: { 'Retry-After': 'Seconds until a repetition makes sense, with 503.' },
};

/** Response headers, which are texts, by name. */
export function headersOf(descriptions: Readonly<Record<string, string>> = {}): object {
  const headers = Object.entries(descriptions).map(([name, description]) => [
    name,
    { description, schema: text() },
  ]);
  return headers.length > 0 ? { headers: Object.fromEntries(headers) as object } : {};
}

/**
 * Error responses by status with the same content, and `default` where it has a description.
 *
 * @param examples of the first media type, by status
 */
export function errorResponses(
  statuses: readonly number[],
  descriptions: Readonly<Record<number, string> & { default?: string }>,
  content: Content,
  examples: Readonly<Record<number, unknown>> = {},
): Record<string, object> {
  const responses = statuses.map((status): [string, object] => [
    String(status),
    {
      description: descriptions[status] ?? 'Refused.',
      ...headersOf(ERROR_HEADERS[status]),
      content: { ...content, ...firstWithExample(content, examples[status]) },
    },
  ]);
  const { default: description } = descriptions;
  return {
    ...Object.fromEntries(responses),
    ...(description !== undefined && {
      default: { description, ...headersOf(ERROR_HEADERS.default), content },
    }),
  };
}

function firstWithExample(content: Content, example: unknown): Content {
  return withExample(Object.fromEntries(Object.entries(content).slice(0, 1)), () => example);
}
