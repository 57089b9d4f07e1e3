/** The SCIM endpoints of all directories, as handlers for web frameworks. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { ScimError } from '@gatehouse/scim';
import { type DirectorySync } from '../controller.js';
import {
  bearer,
  httpFailure,
  mediaRefusal,
  SCIM_BODY_BYTES_MAX,
  type ScimHeaders,
  scimMediaType,
  scimRequestOf,
} from '../http/scim-message.js';
import {
  type ScimRequest,
  type ScimResponse,
  type SeenAccess,
} from '../scim/protocol/scim.types.js';

/** Directory, path below it, query. Clients that join naively send `//`. */
const SCIM_URL = /^[^?#]*?\/api\/scim\/v2\.0\/+([^/?#]+)([^?#]*)(?:\?([^#]*))?/;

/** A request of any framework. */
interface Call {
  method: string;
  url: string;
  headers: ScimHeaders;
  /** Undefined without a body. */
  read?: () => Promise<unknown>;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: string;
}

/** A request of a Node.js server, perhaps with what the framework has made of it. */
export type NodeRequest = IncomingMessage & { originalUrl?: string; body?: unknown };

export interface ScimHandlers {
  /** For servers with the Fetch API: Next.js, Hono, Remix, SvelteKit. */
  handler: (request: Request) => Promise<Response>;
  /** For `node:http`, Express, Fastify and NestJS; also behind a body parser. */
  nodeHandler: (request: NodeRequest, response: ServerResponse) => Promise<void>;
}

/** @param onWrite called after requests that may have changed something */
export function scimHandlers(
  { requests, requestLog }: Pick<DirectorySync, 'requests' | 'requestLog'>,
  onWrite: () => void,
): ScimHandlers {
  async function answer({ method, url, headers, read }: Call): Promise<Answer> {
    const startedAtMs = performance.now();
    const [, directoryId, path = '', query = ''] = SCIM_URL.exec(url) ?? [];
    if (directoryId === undefined) {
      return answerOf(headers, httpFailure(404, 'Nothing exists at this address.'));
    }
    let access: SeenAccess | undefined;
    let request: ScimRequest | undefined;
    const onAccess = (seen: SeenAccess) => (access = seen);
    const respond = async (): Promise<ScimResponse> => {
      // Before the body is read, so that strangers cannot fill the memory.
      const credential = { directoryId, apiSecret: bearer(headers), onAccess };
      const refusal = read && (await requests.scim.refusalOf(credential));
      if (refusal) return refusal;
      const unreadable = mediaRefusal(headers);
      if (unreadable) return unreadable;
      const parameters = Object.fromEntries(new URLSearchParams(query));
      const body = await read?.();
      request = scimRequestOf({ method, directoryId, path, query: parameters, headers, body });
      return requests.scim.respond({ ...request, onAccess });
    };
    const response = await respond().catch(unread);
    if (method !== 'GET' && response.status < 300) onWrite();
    if (access) {
      requestLog.record({
        access,
        requestId: randomUUID(),
        method,
        path,
        userAgent: String(headers['user-agent'] ?? ''),
        status: response.status,
        durationMs: performance.now() - startedAtMs,
        request,
        response,
      });
    }
    return answerOf(headers, response);
  }

  return {
    handler: async (request) => {
      const { body: stream } = request;
      const { body, ...init } = await answer({
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        read: stream ? () => bytesOf(stream) : undefined,
      });
      return new Response(request.method === 'HEAD' ? null : body, init);
    },

    nodeHandler: async (request, response) => {
      const { method = 'GET', url = '', originalUrl = url, headers } = request;
      const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
      const read = hasBody ? () => bodyOf(request) : undefined;
      const answered = await answer({ method, url: originalUrl, headers, read });
      // What is left of the body is not waited for.
      if (answered.status === 413) response.setHeader('Connection', 'close');
      response.writeHead(answered.status, answered.headers);
      response.end(method === 'HEAD' ? undefined : answered.body);
    },
  };
}

function answerOf({ accept }: ScimHeaders, { status, headers, data }: ScimResponse): Answer {
  if (data === null) return { status, headers };
  const type = scimMediaType(Array.isArray(accept) ? accept.join() : accept);
  return { status, headers: { ...headers, 'Content-Type': type }, body: JSON.stringify(data) };
}

/** The response where the body did not arrive. */
function unread(thrown: unknown): ScimResponse {
  return thrown instanceof ScimError
    ? httpFailure(thrown.status, thrown.message)
    : httpFailure(400, 'The body of the request did not arrive.');
}

/** The bytes, or what a body parser left in their place. */
async function bodyOf(request: NodeRequest): Promise<unknown> {
  if (!request.readableEnded) return bytesOf(request.iterator({ destroyOnReturn: false }));
  return typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > SCIM_BODY_BYTES_MAX) {
      throw new ScimError(413, undefined, `A body must not exceed ${SCIM_BODY_BYTES_MAX} bytes.`);
    }
    read.push(chunk);
  }
  return Buffer.concat(read);
}
