// @ts-check
/** The arithmetic of the benchmarks, and that what a load generator sends is what was asked for. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCoreList } from '../bench/cores.mjs';
import { checkAnswers, findGenerator, runLoad } from '../bench/load.mjs';
import { formatTable } from '../bench/report.mjs';
import { compare, isReached, median, summarise } from '../bench/statistics.mjs';
import { check, finish } from './check.mjs';

await check('the median is the middle, or the mean of the two in the middle', () => {
  assert.equal(median([3]), 3);
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 100]), 3);
  assert.throws(() => median([]), RangeError);
});

await check('the ratio is that of the medians, beside the ratios of the rounds', () => {
  const rounds = (/** @type {number[]} */ rates) =>
    rates.map((ratePerSecond) => ({ ratePerSecond, p50Ms: 1, p99Ms: 2, cpuMicrosPerUnit: 1 }));
  const row = /** @type {import('../bench/types.mjs').HttpRow} */ ({
    kind: 'http',
    name: 'a row',
    aim: { ratio: 0.5 },
  });
  const subject = summarise('subject', rounds([50, 60, 10]));
  const result = compare(row, subject, summarise('floor', rounds([100, 100, 100])));
  assert.equal(result.ratio, 0.5);
  assert.deepEqual(result.ratios, [0.5, 0.6, 0.1]);
  assert.equal(result.reached, true);
  assert.match(
    formatTable([result]),
    /subject +50 +1\.00 +2\.00 +1\.00 +0\.500 +1\.000 +>= 0\.5 +reached/,
  );
});

await check('an aim is reached when each of its numbers is', () => {
  assert.equal(isReached(undefined, {}), undefined);
  assert.equal(isReached({ ratio: 1, ratePerSecond: 10 }, { ratio: 1, ratePerSecond: 9 }), false);
  assert.equal(isReached({ ratio: 1 }, {}), false);
  assert.equal(isReached({ ratio: 1 }, { ratio: Number.NaN }), false);
  assert.equal(isReached({ atMost: 120 }, { value: 120 }), true);
  assert.equal(isReached({ atLeast: 120 }, { value: 119 }), false);
});

await check('the list of cores is read as the kernel writes it', () => {
  assert.deepEqual(parseCoreList('0-3,8'), [0, 1, 2, 3, 8]);
  assert.deepEqual(parseCoreList('5'), [5]);
});

const generators = new Set([findGenerator(), /** @type {const} */ ('autocannon')]);
for (const generator of generators) {
  await check(`${generator} sends what it is told, each number once, and counts errors`, () =>
    tryGenerator(generator),
  );
}

finish(generators.has('wrk') ? undefined : 'wrk is not installed, so it was not tried');

/** @param {'wrk' | 'autocannon'} generator */
async function tryGenerator(generator) {
  /** @type {string[]} */
  const seen = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (request.method === 'POST') seen.push(`${request.url} ${body}`);
      response.writeHead(request.url === '/bad' ? 500 : 200).end('ok');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}`;
  const root = mkdtempSync(join(tmpdir(), 'bench-check-'));
  const settings = {
    generator,
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
    check: (/** @type {import('../bench/types.mjs').Answer} */ { body }) =>
      assert.equal(body, 'ok'),
  };
  try {
    const first = await checkAnswers(url, load, 'the server');
    assert.equal(first.status, 200);
    const { ratePerSecond, p50Ms, p99Ms } = await runLoad(url, load, settings);
    assert.ok(ratePerSecond > 10 && p50Ms <= p99Ms);
    assert.ok(seen.length > 1);
    assert.equal(new Set(seen).size, seen.length, 'a number came twice');
    for (const text of seen) assert.match(text, /^\/p\?n=(\d{12}) "\\ü\n\1$/);
    const bad = { ...load, requests: [{ method: 'GET', path: '/bad' }] };
    await assert.rejects(runLoad(url, bad, settings), /error status/);
    const wrong = { ...load, check: () => assert.fail('not this') };
    await assert.rejects(checkAnswers(url, wrong, 'the server'), /answered POST .* wrongly/);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(root, { recursive: true, force: true });
  }
}
