/**
 * Protects an MCP server over Streamable HTTP, as the MCP specification of 2026-07-28 has it ("Authorization"):
 * metadata of the resource (RFC 9728), challenges that name them, and tokens that are meant for this server.
 */
import { type Caller } from '../protect/caller.js';
import {
  credentialHeadersOf,
  credentialIn,
  type CredentialHeaders,
} from '../protect/credential.js';
import {
  type FetchHandler,
  fetchHandler,
  type FetchOptions,
  responseOf,
} from '../protect/fetch-handler.js';
import {
  answer,
  type NodeMiddleware,
  nodeMiddleware,
  type NodeRequest,
} from '../protect/node-http.js';
import { type ProtectOptions } from '../protect/options.js';
import { protection } from '../protect/protection.js';
import { type Answer } from '../protect/refusal.js';

export { type FetchHandler, type FetchOptions } from '../protect/fetch-handler.js';
export { type OfflineOptions, type ProtectOptions } from '../protect/options.js';

export interface ProtectMcpOptions extends ProtectOptions {
  /** The public address of the MCP endpoint, such as `https://mcp.example.com/mcp`. Also the `audience`. */
  readonly resource: string;
  /** Issuers of authorization servers at which clients get tokens for this resource. */
  readonly authorizationServers?: readonly string[];
}

/** `AuthInfo` of `@modelcontextprotocol/sdk`. */
export interface AuthInfo {
  token: string;
  /** The id of the key. */
  clientId: string;
  scopes: string[];
  /** Seconds since 1970. */
  expiresAt?: number;
  /** The caller: `actorId`, `metadata` and more. */
  extra: Record<string, unknown>;
}

export interface McpRequest extends NodeRequest {
  readonly url?: string;
  /** In Express, the path without that of the mount point is `url`. */
  readonly originalUrl?: string;
  auth?: AuthInfo;
}

type McpHandler<Rest extends unknown[]> = (
  request: Request,
  authInfo: AuthInfo,
  ...rest: Rest
) => Response | Promise<Response>;

/** Without a handler: a middleware for Express and node:http, which sets `request.auth`. */
export function protectMcp(options: ProtectMcpOptions): NodeMiddleware<McpRequest>;
/** With a handler: a handler of the Fetch API, which calls it with the `authInfo` for the transport. */
export function protectMcp<Rest extends unknown[]>(
  options: ProtectMcpOptions & FetchOptions<Rest>,
  handler: McpHandler<Rest>,
): FetchHandler<Rest>;
/**
 * Serves the metadata at `/.well-known/oauth-protected-resource` and the path of `resource`, and refuses every
 * other request without a valid credential, whatever its path: 401, 403, 429 or 503.
 *
 * @throws TypeError without an address of Gatehouse or a key, or if `resource` is no address
 */
export function protectMcp<Rest extends unknown[]>(
  options: ProtectMcpOptions & FetchOptions<Rest>,
  handler?: McpHandler<Rest>,
): NodeMiddleware<McpRequest> | FetchHandler<Rest> {
  return handler === undefined ? nodeForm(options) : fetchForm(options, handler);
}

function nodeForm(options: ProtectMcpOptions): NodeMiddleware<McpRequest> {
  const { metadata, metadataPath, authorize } = mcpProtection(options);
  const guard = nodeMiddleware<McpRequest>(authorize, (request, caller) => {
    request.auth = authInfoOf(request.headers, caller);
  });
  return (request, response, next) => {
    const [path] = (request.originalUrl ?? request.url ?? '').split('?');
    if (path === metadataPath) answer(response, metadata);
    else guard(request, response, next);
  };
}

function fetchForm<Rest extends unknown[]>(
  options: ProtectMcpOptions & FetchOptions<Rest>,
  handler: McpHandler<Rest>,
): FetchHandler<Rest> {
  const { metadata, metadataPath, authorize } = mcpProtection(options);
  const guarded = fetchHandler<Rest>(authorize, options, (request, caller, ...rest) =>
    handler(request, authInfoOf(credentialHeadersOf(request), caller), ...rest),
  );
  return async (request, ...rest) =>
    new URL(request.url).pathname === metadataPath
      ? responseOf(metadata)
      : guarded(request, ...rest);
}

function mcpProtection(options: ProtectMcpOptions) {
  const { resource, scopes = [], authorizationServers } = options;
  const { origin, pathname } = new URL(resource);
  // RFC 9728, section 3.1: the well-known path is put before that of the resource.
  const metadataPath = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
  const challenge = {
    parameter: `resource_metadata="${origin}${metadataPath}"`,
    scopes,
    // Clients get another token after a 401. A 403 would only make them ask for more scopes.
    statuses: { VERIFICATION_ERROR_AUDIENCE_MISMATCH: 401 },
  };
  return {
    metadataPath,
    metadata: metadataAnswer({
      resource,
      authorization_servers: authorizationServers,
      scopes_supported: scopes.length > 0 ? scopes : undefined,
      bearer_methods_supported: ['header'],
    }),
    authorize: protection({ ...options, audience: options.audience ?? resource }, challenge),
  };
}

/** Also the answer to a preflight: clients in browsers send a header with the version of the protocol. */
function metadataAnswer(metadata: object): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
    },
    body: JSON.stringify(metadata),
  };
}

function authInfoOf(headers: CredentialHeaders, caller: Caller): AuthInfo {
  const { keyId, scopes, expireTime } = caller;
  return {
    token: credentialIn(headers) ?? '',
    clientId: keyId,
    scopes: [...scopes],
    expiresAt: expireTime === null ? undefined : Math.floor(Date.parse(expireTime) / 1000),
    extra: { ...caller },
  };
}
