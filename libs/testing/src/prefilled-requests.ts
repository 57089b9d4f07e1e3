import { type OpenApiDocument } from './api-description.js';

/** A POST as the reference sends it when nothing is changed. */
export interface PrefilledRequest {
  operationId: string;
  path: string;
  mediaType: string | undefined;
  body: unknown;
}

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; schema?: { example?: unknown } }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/**
 * The POSTs of a description, with the first example of each body.
 *
 * @param ids parameters of paths, by name; POSTs that need another one are left out
 */
export function prefilledPosts(
  { paths }: OpenApiDocument,
  ids: Readonly<Record<string, string>> = {},
): PrefilledRequest[] {
  return Object.entries(paths).flatMap(([template, { post }]) => {
    const operation = post as Operation | undefined;
    const path = operation && filled(template, operation, ids);
    if (path === undefined) return [];
    const { operationId, requestBody } = operation as Operation;
    const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    return [{ operationId, path, mediaType, body: content?.example }];
  });
}

/** Undefined when a parameter has neither a given value nor an example. */
function filled(
  template: string,
  { parameters = [] }: Operation,
  ids: Readonly<Record<string, string>>,
): string | undefined {
  let path = template;
  for (const { in: place, name, schema } of parameters) {
    if (place !== 'path') continue;
    const value = ids[name] ?? schema?.example;
    if (typeof value !== 'string') return undefined;
    path = path.replace(`{${name}}`, value);
  }
  return path;
}
