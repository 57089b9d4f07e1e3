/** Completes the document that Nest generates from the controllers. */
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  type Answer,
  contentOf,
  type NativeOperation,
  type Operation,
  OPERATION_EXTENSION,
  optionalParameters,
  type ParameterObject,
} from './operation.js';
import { arrayOf, type Schemas, text } from './schema.js';

/** What differs between the services. */
export interface ApiDialect<Described extends Operation> {
  /** The version of OpenAPI, by default that of Nest. */
  openapi?: string;
  schemas: Schemas;
  securitySchemes: Readonly<Record<string, object>>;
  /** The security of operations that are not public and have none of their own. */
  security: readonly object[];
  /** The error responses of an operation, by status. */
  errorsOf: (operation: Described) => Record<string, object>;
  /** The headers of answers that describe none. */
  answerHeaders?: Answer['headers'];
  /** Whether operations of controllers keep the tag that Nest derives from the controller. */
  hasControllerTags?: boolean;
}

type KitOperation<Described extends Operation> = Omit<Described, 'answer'> & {
  answer: { description: string };
};

/** Describes the routes of the kit in the words of a service. */
export function kitOperations<Described extends Operation>(
  version: KitOperation<Described>,
  alive: KitOperation<Described>,
  ready: KitOperation<Described> & { unready: string },
): NativeOperation<Described>[] {
  const { unready, ...whenReady } = ready;
  const parameters = optionalParameters('query', {
    exclude: arrayOf(text(), {
      description: 'What it may lack and still be ready, such as redis.',
    }),
  });
  const otherAnswers = { 503: { description: unready, schema: 'Health' } };
  const get = (path: string, operation: KitOperation<Described>, schema: string) =>
    ({
      ...{ ...operation, method: 'get', path },
      answer: { ...operation.answer, status: 200, schema },
    }) as unknown as NativeOperation<Described>;
  return [
    get('/version', version, 'Version'),
    get('/health/alive', alive, 'Health'),
    { ...get('/health/ready', whenReady as never, 'Health'), parameters, otherAnswers },
  ];
}

/** Adds native routes, responses, named schemas and security to what Nest generated. */
export function completeDocument<Described extends Operation>(
  document: OpenAPIObject,
  dialect: ApiDialect<Described>,
  nativeOperations: readonly NativeOperation<Described>[],
): OpenAPIObject {
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = Object.entries(item as Record<string, NestOperation<Described>>);
    paths[path] = Object.fromEntries(
      operations.map(([method, generated]) => [method, described(generated, dialect)]),
    );
  }
  for (const operation of nativeOperations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: operationObject(operation, dialect) };
  }
  const { schemas, securitySchemes, openapi = document.openapi } = dialect;
  const components = { ...document.components, schemas, securitySchemes };
  return { ...document, openapi, paths, components } as OpenAPIObject;
}

interface NestOperation<Described> {
  operationId?: string;
  tags?: string[];
  parameters?: ParameterObject[];
  [OPERATION_EXTENSION]?: Described;
}

/** Operations without `@Describe` stay as Nest generated them. */
function described<Described extends Operation>(
  generated: NestOperation<Described>,
  dialect: ApiDialect<Described>,
): object {
  const operation = generated[OPERATION_EXTENSION];
  if (operation === undefined) return generated;
  const pathParameters = (generated.parameters ?? []).filter(({ in: place }) => place === 'path');
  const { id = generated.operationId, parameters = [] } = operation;
  const completed = operationObject(
    { ...operation, id, parameters: [...pathParameters, ...parameters] },
    dialect,
  );
  const { tags = [] } = generated;
  return dialect.hasControllerTags ? { ...completed, tags: [...tags, operation.tag] } : completed;
}

function operationObject<Described extends Operation>(
  operation: Described,
  dialect: ApiDialect<Described>,
): object {
  const { id, summary, description, tag, parameters = [], body, answer, mediaType } = operation;
  const security = operation.security ?? (operation.isPublic ? undefined : dialect.security);
  const content = typeof body === 'string' ? contentOf(body, mediaType) : body;
  const headers = answer?.headers ?? dialect.answerHeaders;
  return {
    ...(id && { operationId: id }),
    ...(summary && { summary }),
    ...(description && { description }),
    tags: [tag],
    parameters,
    ...(security && { security }),
    ...(content && { requestBody: { required: !operation.isBodyOptional, content } }),
    responses: {
      ...(answer && { [answer.status]: responseOf({ ...answer, headers }, mediaType) }),
      ...Object.fromEntries(
        Object.entries(operation.otherAnswers ?? {}).map(([status, other]) => [
          status,
          responseOf(other, mediaType),
        ]),
      ),
      ...dialect.errorsOf(operation),
    },
  };
}

function responseOf(answer: Answer, mediaType: string | undefined): object {
  const { description = '', schema, headers } = answer;
  const content = { ...(schema && contentOf(schema, mediaType)), ...answer.content };
  return {
    description,
    ...(headers && { headers: headersOf(headers) }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function headersOf(descriptions: Readonly<Record<string, string>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, schema: text() },
    ]),
  );
}
