/** Adds what Nest does not know to the OpenAPI document: authentication and the native SCIM routes. */
import { type OpenAPIObject } from '@nestjs/swagger';
import { type Operation, scimPaths } from './scim-paths.js';
import { SCIM_SCHEMAS } from './scim.schemas.js';

/** Completes the document that Nest generated for the management API. */
export function describeApi(document: OpenAPIObject): OpenAPIObject {
  return {
    ...document,
    paths: { ...withoutAliases(document.paths), ...scimPaths() },
    components: {
      schemas: { ...document.components?.schemas, ...SCIM_SCHEMAS },
      securitySchemes: SECURITY_SCHEMES,
    },
  } as OpenAPIObject;
}

const SECURITY_SCHEMES = {
  'api-key': {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Api-Key <key>`, or `Bearer <key>`',
  },
  bearer: { type: 'http', scheme: 'bearer' },
  'scim-secret': {
    type: 'http',
    scheme: 'bearer',
    description: 'The `scim.secret` of the directory.',
  },
};

/** Only the first path of the management API is documented. */
function withoutAliases(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const own = Object.entries(paths).filter(([url]) => !url.startsWith('/api/v1/directory-sync'));
  for (const [, routes] of own) {
    for (const route of Object.values(routes) as Operation[]) {
      route.operationId = route.operationId?.replace('[0]', '');
    }
  }
  return Object.fromEntries(own);
}
