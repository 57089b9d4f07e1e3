/** SCIM over HTTP: the service beside Jackson behind Next.js, as its users run it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchDirectory, DSYNC_ENV, newDirectory } from '../directory.js';
import { once, service } from '../runner/define.js';
import { type BenchContext, type HttpRow, type Load, type RunningServer } from '../runner/types.js';
import { postUsers } from '../scim/over-http.js';
import { patchBody, userBody } from '../scim/works.js';

const USERS = 100;

export const besideNext: HttpRow[] = [
  row('POST user over HTTP', (_url, directory) => postUsers(directory)),
  row('GET filter userName eq over HTTP', async (url, { path, headers }) => {
    const users = await createUsers(url, { path, headers });
    return {
      requests: users.map(({ userName }) => {
        const filter = encodeURIComponent(`userName eq "${userName}"`);
        const query = `filter=${filter}&startIndex=1&count=100`;
        return { method: 'GET', path: `${path}/Users?${query}`, headers };
      }),
      check: ({ status, body }) => {
        assert.equal(status, 200);
        assert.equal((JSON.parse(body) as { totalResults: number }).totalResults, 1);
      },
    };
  }),
  row('PATCH active over HTTP', async (url, { path, headers }) => {
    const users = await createUsers(url, { path, headers });
    // Each pass over the users reverts the one before.
    const requests = [false, true].flatMap((value) => {
      const body = JSON.stringify(patchBody({ op: 'replace', path: 'active', value }));
      return users.map(({ id }) => ({
        method: 'PATCH',
        path: `${path}/Users/${id}`,
        headers,
        body,
      }));
    });
    return {
      requests,
      check: ({ status, body }) => {
        assert.equal(status, 200);
        assert.equal(typeof (JSON.parse(body) as { active: boolean }).active, 'boolean');
      },
    };
  }),
];

function row(
  name: string,
  load: (url: string, directory: BenchDirectory) => Load | Promise<Load>,
): HttpRow {
  const prepare = async ({ url }: RunningServer) => load(url, await newDirectory(url));
  return {
    kind: 'http',
    name,
    connections: 8,
    subject: service('dsync-api', { env: () => DSYNC_ENV, prepare }),
    floor: {
      name: 'Jackson behind Next.js',
      script: '.local/peers/peers/.next/standalone/server.js',
      ready: '/api/health',
      env: async (context) => {
        await build(context);
        const url = new URL(await context.databaseUrl('jackson'));
        // The service has as many connections.
        url.searchParams.set('pool_max_conns', '10');
        return { NODE_ENV: 'production', HOSTNAME: '127.0.0.1', DATABASE_URL: url.href };
      },
      prepare,
    },
  };
}

/** Builds the application in `next/` where its packages are installed. */
const build = once(({ root, peersDir, log }: BenchContext) => {
  log('building the Next.js application');
  cpSync(join(root, 'bench', 'peers', 'next'), peersDir, { recursive: true });
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(peersDir, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
    { cwd: peersDir, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }, encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout);
  return Promise.resolve();
});

async function createUsers(url: string, { path, headers }: BenchDirectory) {
  const users: { id: string; userName: string }[] = [];
  while (users.length < USERS) {
    const userName = `user-${users.length}@bench.example`;
    const response = await fetch(`${url}${path}/Users`, {
      method: 'POST',
      headers,
      body: JSON.stringify(userBody(userName)),
    });
    assert.equal(response.status, 201);
    users.push({ id: ((await response.json()) as { id: string }).id, userName });
  }
  return users;
}
