import { createServer, type Server } from 'node:http';
import { type Registry } from 'prom-client';

/** Serves `GET /metrics` on a separate port, so that the gateway can never expose it. */
export async function startMetricsServer(
  registry: Pick<Registry, 'contentType' | 'metrics'>,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
