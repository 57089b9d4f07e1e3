/** What Nest cannot see: how callers prove who they are, and the SCIM routes, which are native. */
import { type OpenAPIObject } from '@nestjs/swagger';
import { type Operation, scimPaths } from './scim-paths.js';
import { SCIM_SCHEMAS } from './scim.schemas.js';

/** Completes the description that Nest made of the management API. */
export function describeApi(document: OpenAPIObject): OpenAPIObject {
  return {
    ...document,
    paths: { ...withoutAliases(document.paths), ...scimPaths() },
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...SCIM_SCHEMAS },
      securitySchemes: {
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
      },
    },
  };
}

/** The second path of the management API is served, not described: a client needs one. */
function withoutAliases(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const own = Object.entries(paths).filter(([url]) => !url.startsWith('/api/v1/directory-sync'));
  for (const [, routes] of own) {
    for (const route of Object.values(routes) as Operation[]) {
      route.operationId = route.operationId?.replace('[0]', '');
    }
  }
  return Object.fromEntries(own);
}
