/** Serves the committed description of the API at /openapi.json. */
import { readFile } from 'node:fs/promises';
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

  fastify.get('/openapi.json', async (request, reply) => {
    const document = behindPrefix(await description(), request.headers['x-forwarded-prefix']);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(document));
  });
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
