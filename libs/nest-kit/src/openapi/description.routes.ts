/** Serves the committed description of the API at /openapi.json, and Swagger UI at /docs. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type FastifyInstance } from 'fastify';

/** The OpenAPI document of a service, as far as it is read. */
export interface ApiDescription {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, object>>;
  readonly tags: readonly { readonly name: string }[];
}

export interface CommittedDescription {
  /** The committed document. */
  readonly file: URL;
  /** Chooses what this process serves; by default all. */
  readonly select?: (description: ApiDescription) => ApiDescription;
}

/** The files of the package swagger-ui-dist that the page loads, with their media types. */
const ASSETS: Readonly<Record<string, string>> = {
  'favicon-32x32.png': 'image/png',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

/** Addresses are relative to this script: a gateway may add a prefix to all of them. */
const START = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
});
`;

/** Paths that every service has, which a gateway serves below a prefix for each service. */
const COMMON_PATHS = /^\/(?:version$|health\/|events\/)/;
const PREFIX = /^\/[a-z-]{1,64}$/;

/** Nothing is read before the first request. */
export function serveDescription(
  fastify: FastifyInstance,
  { file, select = (all) => all }: CommittedDescription,
): void {
  const read = async () => select(JSON.parse(await readFile(file, 'utf8')) as ApiDescription);
  let reading: Promise<ApiDescription> | undefined;
  const description = () => (reading ??= read());
  const packages = createRequire(import.meta.url);

  fastify.get('/openapi.json', async (request, reply) => {
    const document = behindPrefix(await description(), request.headers['x-forwarded-prefix']);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(document));
  });
  fastify.get('/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page((await description()).info.title)),
  );
  fastify.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  for (const [name, mediaType] of Object.entries(ASSETS)) {
    fastify.get(`/docs/${name}`, async (_request, reply) =>
      reply.type(mediaType).send(await readFile(packages.resolve(`swagger-ui-dist/${name}`))),
    );
  }
}

/** Says where the common paths are behind a gateway. */
function behindPrefix(
  description: ApiDescription,
  prefix: string | string[] | undefined,
): ApiDescription {
  if (typeof prefix !== 'string' || !PREFIX.test(prefix)) return description;
  const paths = Object.entries(description.paths).map(([path, item]) =>
    COMMON_PATHS.test(path) ? [path, { ...item, servers: [{ url: prefix }] }] : [path, item],
  );
  return { ...description, paths: Object.fromEntries(paths) as ApiDescription['paths'] };
}

function page(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
}
