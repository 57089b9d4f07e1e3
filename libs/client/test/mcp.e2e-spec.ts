/** MCP servers of the official SDK behind `protectMcp`, with its client and a real key service. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AuthInfo, protectMcp, type ProtectMcpOptions } from '@gatehouse/client/mcp';
import { listenOnLoopback } from '@gatehouse/testing';
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import express from 'express';
import { type KeyService, startKeyService } from './key-service.js';

const RESOURCE = 'https://mcp.example.com/mcp';
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

/** An MCP server whose one tool returns its caller. */
function mcpServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool('whoami', {}, ({ authInfo }) => ({
    content: [{ type: 'text', text: JSON.stringify(authInfo) }],
  }));
  return server;
}

async function serveNode(
  request: Parameters<RequestListener>[0],
  response: Parameters<RequestListener>[1],
) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await mcpServer().connect(transport);
  await transport.handleRequest(request, response);
}

async function serveFetch(request: Request, authInfo: AuthInfo): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport();
  await mcpServer().connect(transport);
  return transport.handleRequest(request, { authInfo });
}

/** As the public address is another one than that of the server, requests are sent to it by this function. */
type Send = typeof fetch;
const FORMS: Record<string, (options: ProtectMcpOptions) => Promise<Send>> = {
  'node:http': (options) => {
    const guard = protectMcp(options);
    return listening(
      createServer((request, response) => {
        guard(request, response, () => void serveNode(request, response));
      }),
    );
  },
  Express: (options) => {
    const app = express();
    app.use(['/mcp', '/.well-known/oauth-protected-resource/mcp'], protectMcp(options));
    app.all('/mcp', (request, response) => serveNode(request, response));
    return listening(createServer(app));
  },
  'the Fetch API': (options) => {
    const handle = protectMcp(options, serveFetch);
    return Promise.resolve((url, init) => handle(new Request(url, init)));
  },
};

const servers: Server[] = [];
async function listening(server: Server): Promise<Send> {
  servers.push(server);
  const port = await listenOnLoopback(server);
  return (url, init) => {
    const { pathname, search } = new URL(url instanceof Request ? url.url : url);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };
}

let keys: KeyService;
beforeAll(async () => {
  keys = await startKeyService();
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await keys.close();
});

describe.each(Object.entries(FORMS))('with %s', (_, start) => {
  let send: Send;
  beforeAll(async () => {
    send = await start({
      ...keys.connection,
      resource: RESOURCE,
      scopes: ['tools:use'],
      authorizationServers: ['https://login.example.com'],
    });
  });

  /** Calls the tool as an MCP client with a credential. @returns what the tool knows about the caller */
  async function whoami(credential: string): Promise<AuthInfo> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { authorization: `Bearer ${credential}` };
    const options = { fetch: send, requestInit: { headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(RESOURCE), options));
    try {
      const { content } = await client.callTool({ name: 'whoami' });
      return JSON.parse((content as [{ text: string }])[0].text) as AuthInfo;
    } finally {
      await client.close();
    }
  }
  const post = (credential?: string, path = '/mcp') =>
    send(new URL(path, RESOURCE), {
      method: 'POST',
      headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` },
    });

  it('tools know the caller: an API key, or a token for this server', async () => {
    const fields = { scopes: ['tools:use', 'a'], metadata: { team: 'a' }, ttl: '1h' };
    const { secret, keyId } = await keys.issue(fields);
    const token = await keys.token(fields, { audience: RESOURCE });
    expect(await whoami(secret)).toEqual({
      token: secret,
      clientId: keyId,
      scopes: fields.scopes,
      expiresAt: expect.any(Number),
      extra: expect.objectContaining({ actorId: 'alice', metadata: { team: 'a' }, audiences: [] }),
    });
    const info = await whoami(token);
    expect(info.extra['audiences']).toEqual([RESOURCE]);
    expect((info.expiresAt ?? 0) * 1000).toBeGreaterThan(Date.now());
  });

  it('a client finds the metadata of the resource by the challenge, and by the address', async () => {
    const refused = await post();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}", scope="tools:use"`,
    ]);
    const metadata = {
      resource: RESOURCE,
      authorization_servers: ['https://login.example.com'],
      scopes_supported: ['tools:use'],
      bearer_methods_supported: ['header'],
    };
    expect(await discoverOAuthProtectedResourceMetadata(RESOURCE, {}, send)).toEqual(metadata);
    const preflight = await send(METADATA, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      200,
      '*',
    ]);
  });

  it('401 for a token for another server, so that the client gets another one', async () => {
    for (const more of [{ audience: 'https://other.example/mcp' }, {}]) {
      const refused = await post(await keys.token({ scopes: ['tools:use'] }, more));
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${METADATA}", error="invalid_token", scope="tools:use"`,
      ]);
    }
    await expect(whoami('unknown-key')).rejects.toThrow(/401|Unauthorized/);
  });

  it('403 with the scopes that are missing', async () => {
    const refused = await post((await keys.issue({ scopes: ['a'] })).secret);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer resource_metadata="${METADATA}", error="insufficient_scope", scope="tools:use"`,
    ]);
  });

  it('nothing else is served without a credential, not even beside the metadata', async () => {
    for (const path of ['/', '/elsewhere', '/.well-known/oauth-protected-resource/mcp/x', '/MCP']) {
      // Express has no other routes here.
      expect([401, 404]).toContain((await post(undefined, path)).status);
    }
  });
});
