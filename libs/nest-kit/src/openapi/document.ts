/** Completes the document that Nest generates from the controllers. */
import { type OpenAPIObject } from '@nestjs/swagger';
import { exampleOf, type Examples } from './example.js';
import { KIT_EXAMPLES, KIT_OPERATIONS, KIT_SCHEMAS, KIT_TAGS } from './kit-operations.js';
import {
  type Answer,
  type Content,
  contentOf,
  errorResponses,
  headersOf,
  type NativeOperation,
  type Operation,
  OPERATION_EXTENSION,
  type ParameterObject,
  withExample,
} from './operation.js';
import { closedRequests } from './request-schemas.js';
import { type Schema, type Schemas } from './schema.js';

/** Differences between the API documents of the services. */
export interface ApiDialect<Described extends Operation> {
  schemas: Schemas;
  /** Examples of bodies and answers, by the name of the schema. */
  examples: Examples;
  /** The description of each tag, in the order of the page. */
  tags: Readonly<Record<Described['tag'], string>>;
  securitySchemes: Readonly<Record<string, object>>;
  /** The security of operations that are not public and have none of their own. */
  security: readonly object[];
  /** The error responses of an operation, by status. `method` is in lower case. */
  errorsOf: (operation: Described, method: string) => Record<string, object>;
  /** The content of the errors of requests that are refused before there is a route. */
  routelessErrors: Content;
}

const ROUTELESS_ERROR_TEXTS = { 431: 'The head of the request is larger than 16 KiB.' };

/** Adds native routes, responses, named schemas, tags and security to what Nest generated. */
export function completeDocument<Described extends Operation>(
  document: OpenAPIObject,
  dialect: ApiDialect<Described>,
  nativeOperations: readonly NativeOperation<Described>[],
): OpenAPIObject {
  const { securitySchemes } = dialect;
  const schemas = { ...dialect.schemas, ...KIT_SCHEMAS };
  const examples = { ...dialect.examples, ...KIT_EXAMPLES };
  const writer = new OperationWriter(dialect, (schema) => exampleOf(schema, schemas, examples));
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = Object.entries(item as Record<string, NestOperation<Described>>);
    paths[path] = Object.fromEntries(
      operations.map(([method, generated]) => [
        method,
        described(generated, method, dialect, writer),
      ]),
    );
  }
  for (const operation of nativeOperations) {
    const { path, method } = operation;
    const completed = writer.write(operation, dialect.errorsOf(operation, method));
    paths[path] = { ...paths[path], [method]: completed };
  }
  for (const operation of KIT_OPERATIONS) {
    paths[operation.path] = { [operation.method]: writer.write(operation, {}) };
  }
  const components = {
    ...document.components,
    schemas: closedRequests(schemas, paths),
    securitySchemes,
  };
  const tags = tagsOf(paths, { ...dialect.tags, ...KIT_TAGS });
  const responses = sharedErrors(paths);
  return {
    ...document,
    openapi: '3.1.0',
    tags,
    paths,
    components: { ...components, responses },
  } as OpenAPIObject;
}

interface NestOperation<Described> {
  parameters?: ParameterObject[];
  [OPERATION_EXTENSION]?: Described;
}

/** Operations without `@Describe` stay as Nest generated them. */
function described<Described extends Operation>(
  generated: NestOperation<Described>,
  method: string,
  dialect: ApiDialect<Described>,
  writer: OperationWriter,
): object {
  const operation = generated[OPERATION_EXTENSION];
  if (operation === undefined) return generated;
  const pathParameters = (generated.parameters ?? []).filter(({ in: place }) => place === 'path');
  const parameters = [...pathParameters, ...(operation.parameters ?? [])];
  return writer.write({ ...operation, parameters }, dialect.errorsOf(operation, method));
}

/**
 * Replaces the error responses of all operations by references: a few dozen are repeated by hundreds of
 * operations.
 *
 * @returns the responses by name, such as `Error404`
 */
function sharedErrors(paths: Readonly<Record<string, Record<string, object>>>): object {
  const names = new Map<string, string>();
  const shared: Record<string, object> = {};
  for (const item of Object.values(paths)) {
    for (const { responses } of Object.values(item) as { responses: Record<string, object> }[]) {
      for (const [status, response] of Object.entries(responses)) {
        if (/^[123]/.test(status)) continue;
        const text = JSON.stringify([status, response]);
        const name = names.get(text) ?? nameOf(status, shared);
        names.set(text, name);
        shared[name] = response;
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  return shared;
}

function nameOf(status: string, taken: object): string {
  const first = status === 'default' ? 'OtherError' : `Error${status}`;
  const names = [first, ...Array.from({ length: 99 }, (_, index) => `${first}_${index + 2}`)];
  return names.find((name) => !(name in taken)) ?? first;
}

/** The tags that an operation has: a surface may have fewer than the service. */
function tagsOf(
  paths: Readonly<Record<string, Record<string, { tags?: string[] }>>>,
  descriptions: Readonly<Record<string, string>>,
): object[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  return Object.entries(descriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

function withHeaders(
  responses: Readonly<Record<string, object>>,
  descriptions: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, object>> {
  if (descriptions === undefined) return responses;
  const { headers } = headersOf(descriptions) as { headers: object };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...(response as { headers?: object }).headers, ...headers } },
    ]),
  );
}

class OperationWriter {
  constructor(
    private readonly dialect: Pick<ApiDialect<Operation>, 'security' | 'routelessErrors'>,
    private readonly exampleOf: (schema: Schema) => unknown,
  ) {}

  write(operation: Operation, errors: Readonly<Record<string, object>>): object {
    const { id, summary, description, tag, parameters = [], answer, mediaType } = operation;
    const { isPublic, security = isPublic ? [] : this.dialect.security } = operation;
    const otherAnswers = Object.entries(operation.otherAnswers ?? {});
    return {
      operationId: id,
      summary,
      ...(description && { description }),
      tags: [tag],
      parameters,
      security,
      ...this.requestBody(operation),
      responses: {
        ...(answer && { [answer.status]: this.response(answer, mediaType) }),
        ...Object.fromEntries(
          otherAnswers.map(([status, other]) => [status, this.response(other, mediaType)]),
        ),
        ...errorResponses([431], ROUTELESS_ERROR_TEXTS, this.dialect.routelessErrors),
        ...withHeaders(errors, operation.errorHeaders),
      },
    };
  }

  private requestBody({ body, bodyExample, isBodyOptional, mediaType }: Operation): object {
    if (body === undefined) return {};
    const content = typeof body === 'string' ? contentOf(body, mediaType) : body;
    return {
      requestBody: {
        required: !isBodyOptional,
        content: withExample(content, (schema) => bodyExample ?? this.exampleOf(schema)),
      },
    };
  }

  private response(answer: Answer, mediaType: string | undefined): object {
    const { description = '', schema, headers, example } = answer;
    const content = withExample(
      { ...(schema && contentOf(schema, mediaType)), ...answer.content },
      (described) => (example === undefined ? this.exampleOf(described) : example),
    );
    return {
      description,
      ...headersOf(headers),
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
}
