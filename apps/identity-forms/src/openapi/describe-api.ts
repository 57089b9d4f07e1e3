/** Completes the description that Nest derives from the controllers. */
import { type OpenAPIObject } from '@nestjs/swagger';
import { FORM_SCHEMAS } from './form-schemas.js';
import { NATIVE_PATHS } from './native-routes.js';
import { json, PAGE, problems } from './operation.js';

type Operation = Record<string, unknown> & { responses: object };

const NOT_MODIFIED = { 304: { description: 'The client has it already.' } };

/** Responses that Nest cannot derive from the controllers, by operation. */
const ANSWERS: Readonly<Record<string, object>> = {
  registerSchema: problems(400, 401, 403, 409, 413, 415, 422),
  listSchemas: { ...NOT_MODIFIED, ...problems(400, 401, 403) },
  putSchema: problems(400, 401, 403, 404, 413, 415, 422),
  getSchema: { ...NOT_MODIFIED, ...problems(400, 401, 403, 404) },
  getForm: {
    200: { description: 'The empty form.', content: { ...json('FormView'), ...PAGE } },
    ...problems(400, 401, 403, 404),
  },
  startFlow: problems(400, 401, 403, 404, 413, 415),
  listIdentities: problems(400, 401, 403),
  getIdentity: problems(401, 403, 404),
  patchIdentity: problems(400, 401, 403, 404, 413, 415, 422),
  deleteIdentity: problems(401, 403, 404),
  alive: { 200: { description: 'The process answers.', content: json('Health') } },
  ready: {
    200: { description: 'It can do its work.', content: json('Health') },
    503: { description: 'It cannot, or is shutting down.', content: json('Health') },
  },
  version: { 200: { description: 'What runs here.', content: json('Version') } },
};

export function describeApi(document: OpenAPIObject): OpenAPIObject {
  const schemas = { ...document.components?.schemas, ...FORM_SCHEMAS };
  const securitySchemes = {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'One of ADMIN_API_KEYS, or a live key with the scope forms:admin.',
    },
  };
  const paths = { ...completed(document.paths), ...NATIVE_PATHS };
  const components = { ...document.components, schemas, securitySchemes };
  return { ...document, paths, components } as OpenAPIObject;
}

function completed(paths: OpenAPIObject['paths']): Record<string, object> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
          const operationId = String(operation.operationId).replace(/^.*_/, '');
          const responses = { ...operation.responses, ...ANSWERS[operationId] };
          const tags = operation.tags ?? ['service'];
          return [method, { ...operation, operationId, tags, responses }];
        }),
      ),
    ]),
  );
}
