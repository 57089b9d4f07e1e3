/** Checks that the load of benchmarks is the requests that it is given. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SampleResponse } from './types.js';
import { workspace } from '#local-stack/layout.mjs';

const built = join(workspace, 'dist', 'bench', 'runner', 'load.js');
const { checkResponses, runLoad } = (await import(
  pathToFileURL(built).href
)) as typeof import('./load.js');

it('sends the requests it is given, each number once, and reports errors', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (request.method === 'POST') seen.push(`${request.url} ${body}`);
      response.writeHead(request.url === '/bad' ? 500 : 200).end('ok');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const root = mkdtempSync(join(tmpdir(), 'bench-check-'));
  const settings = {
    seconds: 1,
    connections: 4,
    core: undefined,
    perRequest: 10,
    pid: process.pid,
    root,
  };
  const load = {
    requests: [
      { method: 'POST', path: '/p?n={{n}}', headers: { 'X-A': 'b' }, body: '"\\ü\n{{n}}' },
      { method: 'GET', path: '/' },
    ],
    check: ({ body }: SampleResponse) => assert.equal(body, 'ok'),
  };
  try {
    const first = await checkResponses(url, load, 'the server');
    assert.equal(first.status, 200);
    const { ratePerSecond, p50Ms, p99Ms } = await runLoad(url, load, settings);
    assert.ok(ratePerSecond > 10 && p50Ms <= p99Ms);
    assert.ok(seen.length > 1);
    assert.equal(new Set(seen).size, seen.length, 'a number was sent twice');
    for (const text of seen) assert.match(text, /^\/p\?n=(\d{12}) "\\ü\n\1$/);
    const bad = { ...load, requests: [{ method: 'GET', path: '/bad' }] };
    await assert.rejects(runLoad(url, bad, settings), /error status/);
    const wrong = { ...load, check: () => assert.fail('not this') };
    await assert.rejects(checkResponses(url, wrong, 'the server'), /wrong response to POST/);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(root, { recursive: true, force: true });
  }
});
