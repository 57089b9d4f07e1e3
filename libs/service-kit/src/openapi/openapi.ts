/** Parts of OpenAPI documents that all services write in the same way. */
import type { OpenAPIObject } from '@nestjs/swagger';

/** A reference to one of `components.schemas`. */
export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The `content` of a request or response body with a named schema. */
export function contentOf(schema: string, mediaType = 'application/json'): Record<string, object> {
  return { [mediaType]: { schema: schemaRef(schema) } };
}

export function parameter<Place extends 'path' | 'query' | 'header'>(
  place: Place,
  name: string,
  schema: object,
  more: object = {},
): { name: string; in: Place; schema: object } {
  return { name, in: place, ...(place === 'path' && { required: true }), schema, ...more };
}

/** Error responses by status, all with the same body, and `default` for other errors. */
export function errorResponses(
  statuses: readonly number[],
  descriptions: Readonly<Record<number | 'default', string>>,
  content: object,
): Record<string, object> {
  const entries = statuses.map((status) => [
    status,
    { description: descriptions[status] ?? 'Refused.', content },
  ]);
  return {
    ...(Object.fromEntries(entries) as Record<string, object>),
    default: { description: descriptions.default, content },
  };
}

/** Adds the paths of native routes, named schemas and security schemes to what Nest generated. */
export function completeDocument(
  document: OpenAPIObject,
  additions: { paths: object; schemas: object; securitySchemes: object; openapi?: string },
): OpenAPIObject {
  const { paths, schemas, securitySchemes, openapi = document.openapi } = additions;
  return {
    ...document,
    openapi,
    paths: paths as OpenAPIObject['paths'],
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...schemas },
      securitySchemes: securitySchemes as NonNullable<
        OpenAPIObject['components']
      >['securitySchemes'],
    },
  };
}
