/** Errors of the gateway on the pages for people, in a real nginx: a page for browsers, JSON for programs. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe, launchBrowser } from '@gatehouse/testing';
import { startTestGateway, type TestGateway } from './test-gateway.js';
import { type Received, type Send, sender, type StandIn, startStandIn } from './stand-in.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const runDir = mkdtempSync(join(tmpdir(), 'gateway-pages-'));
let standIn: StandIn;
let gateway: TestGateway;
let send: Send;

beforeAll(async () => {
  standIn = await startStandIn('dsync-api');
  gateway = await startTestGateway(runDir, { DSYNC_API: `127.0.0.1:${standIn.port}` });
  send = sender(Number(new URL(gateway.url).port));
});
afterAll(async () => {
  await gateway.close();
  standIn.close();
  rmSync(runDir, { recursive: true, force: true });
});

/** Runs, loads, keeps and embeds nothing. */
function isPage({ headers, body }: Received, title: string): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'same-origin');
  const style = /<style>([^<]+)<\/style>/.exec(body)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.equal(
    headers['content-security-policy'],
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
  assert.match(body, /^<!doctype html><html lang="en">.*<\/html>$/);
  assert.ok(body.includes(`<h1>${title}</h1>`), body);
  assert.doesNotMatch(body, /<script|style=|https?:|nginx/);
  const id = String(headers['x-request-id']);
  assert.ok(body.includes(`<code>${id}</code>`));
}

it.each([
  ['/portal', 404, 'Page not found', ''],
  ['/setup/link', 413, 'That is too large', 'x'.repeat(70_000)],
  ['/flows/%2e', 400, 'Something went wrong', ''],
  ['/portal/keys', 503, 'Something went wrong', ''],
  ['/flows/a?b=c', 503, 'Something went wrong', ''],
  ['/sign-up?schema=a', 503, 'Something went wrong', ''],
])(
  '%s is %d, with a page for browsers and JSON for programs',
  async (path, status, title, body) => {
    const method = body === '' ? 'GET' : 'POST';
    const page = await send(path, { method, body, headers: { accept: BROWSER } });
    assert.equal(page.status, status);
    isPage(page, title);
    for (const accept of ['application/json', '*/*', '']) {
      const headers = { accept };
      const { headers: received, ...answer } = await send(path, { method, body, headers });
      assert.deepEqual([answer.status, answer.body.status], [status, status]);
      assert.equal(received['content-type'], 'application/problem+json');
      assert.equal(received['content-security-policy'], undefined);
    }
  },
);

it.each(['/v2alpha1/a', '/api/v1/dsync', '/api/v1/dsync?a=b', '/api/scim/', '/a/setup/b'])(
  '%s is no page, not even for browsers',
  async (path) => {
    const { headers } = await send(path, { headers: { accept: BROWSER } });
    assert.doesNotMatch(headers['content-type'] ?? '', /html/);
  },
);

it('the id of a client is no markup', async () => {
  for (const id of ['<script>', 'a"b', "a'b", 'a&b;']) {
    const headers = { accept: BROWSER, 'x-request-id': id };
    const { body, headers: received } = await send('/portal', { headers });
    assert.equal(received['x-request-id'], id);
    assert.ok(!body.includes(id) && !body.includes('Reference'));
  }
});

it.each(['light', 'dark'] as const)(
  'can be read in %s colors, and fits 320 px',
  async (colorScheme) => {
    const browser = await launchBrowser();
    try {
      const page = await (await browser.newContext({ colorScheme })).newPage();
      await page.setViewportSize({ width: 320, height: 600 });
      const answer = await page.goto(`${gateway.url}/portal`);
      assert.equal(answer?.status(), 404);
      assert.deepEqual(await axe(page), []);
      const wider = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(wider, 0);
    } finally {
      await browser.close();
    }
  },
);

// The last test, because it ends the service.
it('a service that does not answer is a page that says when to try again', async () => {
  assert.equal((await send('/setup/provider', { headers: { accept: BROWSER } })).status, 200);
  standIn.close();
  for (const path of ['/setup/provider', '/api/scim/oauth/callback?code=a&state=b']) {
    const page = await send(path, { headers: { accept: BROWSER } });
    assert.deepEqual([page.status, page.headers['retry-after']], [503, '5']);
    isPage(page, 'Something went wrong');
  }
});
