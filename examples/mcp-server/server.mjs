// An MCP server over Streamable HTTP whose clients need a key, or a token that was exchanged for one.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { z } from 'zod';
import { protectMcp } from '@gatehouse/client/mcp';

const { PORT = '3000', RESOURCE = `http://127.0.0.1:${PORT}/mcp` } = process.env;
const NOTES = { alice: ['Buy milk'], bob: ['Call the bank'] };

const app = express();
app.use(
  protectMcp({
    resource: RESOURCE,
    authorizationServers: [process.env.GATEHOUSE_PUBLIC_URL ?? 'http://127.0.0.1:8080'],
    scopes: ['notes:read'],
  }),
);
// Without sessions: each request has a server of its own, so that any replica can answer it.
app.post('/mcp', express.json(), async (request, response) => {
  const server = notesServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});

function notesServer() {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const search = { description: 'Find notes of the caller', inputSchema: { text: z.string() } };
  server.registerTool('search', search, ({ text }, { authInfo }) => {
    const notes = NOTES[authInfo.extra.actorId] ?? [];
    const found = notes.filter((note) => note.toLowerCase().includes(text.toLowerCase()));
    return { content: found.map((note) => ({ type: 'text', text: note })) };
  });
  return server;
}

const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
process.once('SIGTERM', () => server.close());
