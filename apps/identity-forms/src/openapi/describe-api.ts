/** Completes the description that Nest derives from the controllers. */
import { completeDocument, contentOf } from '@gatehouse/service-kit';
import { type OpenAPIObject } from '@nestjs/swagger';
import { FORM_SCHEMAS } from './form-schemas.js';
import { NATIVE_PATHS } from './native-routes.js';
import { PAGE, problems } from './operation.js';

type Operation = Record<string, unknown> & { responses: object };

const NOT_MODIFIED = { 304: { description: 'The client has it already.' } };

/** Responses that Nest cannot derive from the controllers, by operation. */
const ANSWERS: Readonly<Record<string, object>> = {
  registerSchema: problems(400, 401, 403, 409, 413, 415, 422),
  listSchemas: { ...NOT_MODIFIED, ...problems(400, 401, 403) },
  putSchema: problems(400, 401, 403, 404, 413, 415, 422),
  getSchema: { ...NOT_MODIFIED, ...problems(400, 401, 403, 404) },
  getForm: {
    200: { description: 'The empty form.', content: { ...contentOf('FormView'), ...PAGE } },
    ...problems(400, 401, 403, 404),
  },
  startFlow: problems(400, 401, 403, 404, 413, 415),
  listIdentities: problems(400, 401, 403),
  getIdentity: problems(401, 403, 404),
  patchIdentity: problems(400, 401, 403, 404, 413, 415, 422),
  deleteIdentity: problems(401, 403, 404),
  alive: { 200: { description: 'The process answers.', content: contentOf('Health') } },
  ready: {
    200: { description: 'It can do its work.', content: contentOf('Health') },
    503: { description: 'It cannot, or is shutting down.', content: contentOf('Health') },
  },
  version: { 200: { description: 'What runs here.', content: contentOf('Version') } },
};

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'One of ADMIN_API_KEYS, or a live key with the scope forms:admin.',
  },
};

export function describeApi(document: OpenAPIObject): OpenAPIObject {
  return completeDocument(document, {
    paths: { ...completed(document.paths), ...NATIVE_PATHS },
    schemas: FORM_SCHEMAS,
    securitySchemes: SECURITY_SCHEMES,
  });
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
