/** The npm package `@gatehouse/directory-sync` as a user has it: installed alone, with the programs of its README. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  eventually,
  freePort,
  okta,
  type TestDatabase,
} from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { packDirectorySync } from './directory-sync/pack.mjs';

const README = readFileSync(join(import.meta.dirname, 'directory-sync', 'README.md'), 'utf8');
/** What the README's programs need beside the package, linked after it was looked at alone. */
const LINKED = ['express', 'fastify', 'hono', '@types/node'];
/** Serves an application that has the Fetch API. */
const HONO_SERVER = `
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { app } from './hono.mjs';

createServer(async (request, response) => {
  const { method, headers, url } = request;
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? Readable.toWeb(request) : null;
  const init = { method, headers, body, duplex: 'half' };
  const answer = await app.fetch(new Request('http://localhost' + url, init));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}).listen(process.env.PORT);
`;
const SAMPLE = `
import { createDirectorySync, type DirectoryEvent, type DirectorySync } from '@gatehouse/directory-sync';

const seen: DirectoryEvent[] = [];
const sync: DirectorySync = await createDirectorySync({
  databaseUrl: 'postgres://localhost/app',
  encryptionKeys: ['a key of at least thirty-two characters'],
  externalUrl: 'https://app.example.com',
  onEvent: async (event, { query }) => {
    const [row] = await query<{ n: number }>('SELECT 1 AS n');
    if (row?.n === 1 && event.event === 'user.created') seen.push(event);
  },
});
const { data, error } = await sync.directories.create({ tenant: 'acme', product: 'app' });
const address: string = error === null ? data.scim.endpoint : error.message;
const answer: Response = await sync.handler(new Request(address));
// @ts-expect-error an event has no such type
export const wrong = seen[0]?.event === 'user.renamed';
console.log(answer.status);
`;

/** So that a process is killed while it handles an event. */
const SLOW_HANDLER = `
  CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(0.03); RETURN NEW; END $$;
  CREATE TRIGGER pause BEFORE INSERT ON member_events FOR EACH ROW EXECUTE FUNCTION pause()`;

let folder = '';
let database: TestDatabase;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-directory-sync-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tarball = await packDirectorySync(folder);
  run('npm', 'install', '--no-audit', '--no-fund', tarball);
  for (const [, name = '', text = ''] of README.matchAll(/```js\n\/\/ (\w+\.mjs)\n(.*?)```/gs)) {
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'hono-server.mjs'), HONO_SERVER);
}, 300_000);
beforeEach(async () => {
  database = await createTestDatabase();
  await database.query('CREATE TABLE member_events (n bigserial, id uuid, event jsonb)');
});
afterEach(async () => {
  await Promise.all([...started].map((child) => end(child, 'SIGKILL')));
  await database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('brings few packages, and none that the module of the package replaces', () => {
  const installed = readdirSync(join(folder, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  );
  expect(installed.length).toBeLessThanOrEqual(16);
  expect(installed.filter((name) => /nest|redis|bullmq|typeorm|fastify/.test(name))).toEqual([]);
  const types = readFileSync(
    join(folder, 'node_modules/@gatehouse/directory-sync/index.d.ts'),
    'utf8',
  );
  expect([...types.matchAll(/from '(.*)'/g)].map(([, name]) => name)).toEqual(['node:http']);
});

it('has types that compile strictly', () => {
  link();
  writeFileSync(join(folder, 'sample.ts'), SAMPLE);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023'];
  const tsc = join(workspace, 'node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, tsc, ...options, '--lib', 'es2023', '--types', 'node', 'sample.ts');
}, 120_000);

it.each(['node.mjs', 'express.mjs', 'fastify.mjs', 'hono-server.mjs'])(
  '%s answers Okta, and its events come once and in order',
  async (program) => {
    link();
    const send = provider(connect(), (await start(program)).port);
    const person = { userName: 'ann@example.com', givenName: 'Ann', familyName: 'Lee' };
    expect((await send('GET', okta.lookUp(person.userName))).body).toMatchObject({
      totalResults: 0,
    });
    const { status, body } = await send('POST', '/Users', okta.user(person));
    expect(status).toBe(201);
    const user = { id: String(body.id), ...person };
    const group = await send('POST', '/Groups', okta.group('Staff'));
    await send('PATCH', `/Groups/${String(group.body.id)}`, okta.addMember(user));
    await send('PATCH', `/Users/${user.id}`, okta.deactivate);
    expect((await send('GET', `/Users/${user.id}`)).body).toMatchObject({ active: false });
    expect(await handled(4)).toEqual([
      'user.created',
      'group.created',
      'group.user_added',
      'user.updated',
    ]);
  },
  60_000,
);

it('loses and repeats nothing when it is killed again and again, in the middle of its events', async () => {
  const directory = connect();
  await database.query(SLOW_HANDLER);
  const waiting = Array.from({ length: 120 }, (_, index) => `user-${index}@example.com`);
  for (const untilLeft of [90, 60, 30, 0]) {
    const { child, port } = await start('node.mjs');
    const send = provider(directory, port);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (waiting.length > untilLeft) {
          const userName = waiting.shift() as string;
          const user = okta.user({ userName, givenName: 'A', familyName: 'B' });
          const answer = await send('POST', '/Users', user).catch(() => undefined);
          // Killed before the response: the provider asks again. The user may be there.
          if (answer === undefined) waiting.push(userName);
          else expect([201, 409]).toContain(answer.status);
          if (waiting.length === untilLeft + 5 && untilLeft > 0) child.kill('SIGKILL');
          if (child.signalCode !== null || child.killed) return;
        }
      }),
    );
    if (untilLeft === 0) continue;
    await end(child, 'SIGKILL');
    const [behind] = await database.query<{ handled: number; logged: number }>(
      `SELECT count(*)::int AS logged, (SELECT count(*)::int FROM member_events) AS handled
        FROM dsync.events WHERE type = 'user.created'`,
    );
    expect(behind?.handled).toBeLessThan(behind?.logged ?? 0);
  }
  await handled(120);
  const users = await database.query<{ user_name: string }>('SELECT user_name FROM dsync.users');
  expect(new Set(users.map(({ user_name: name }) => name)).size).toBe(120);
}, 120_000);

it('two processes that start at once on an empty database share the events', async () => {
  const [first, second] = await Promise.all([start('node.mjs'), start('node.mjs')]);
  const directory = connect();
  const [one, other] = [provider(directory, first.port), provider(directory, second.port)];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const user = { userName: `user-${index}@example.com`, givenName: 'A', familyName: 'B' };
      return (index % 2 === 0 ? one : other)('POST', '/Users', okta.user(user));
    }),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  await handled(60);
  await end(first.child, 'SIGTERM');
}, 60_000);

it('the example prints the events of requests', async () => {
  copyFileSync(
    join(workspace, 'examples/directory-sync-in-process.mjs'),
    join(folder, 'example.mjs'),
  );
  const { child, port, printed } = await start('example.mjs');
  const [, endpoint = '', secret = ''] = await eventually(() => {
    const found = /SCIM address: (\S+)\nbearer token: (\S+)/.exec(printed());
    assert.ok(found, printed());
    return found;
  });
  const send = provider({ path: new URL(endpoint).pathname, secret }, port);
  await send(
    'POST',
    '/Users',
    okta.user({ userName: 'ann@example.com', givenName: 'A', familyName: 'B' }),
  );
  await eventually(() => expect(printed()).toMatch(/\d+ user\.created ann@example\.com/));
  expect(await end(child, 'SIGTERM')).toBe(0);
}, 60_000);

/** Waits until so many events are handled, and checks them against the log. @returns their types */
async function handled(count: number): Promise<string[]> {
  const rows = await eventually(async () => {
    const found = await database.query<{ id: string; type: string }>(
      `SELECT id, event ->> 'event' AS type FROM member_events ORDER BY n`,
    );
    expect(found).toHaveLength(count);
    return found;
  });
  const logged = await database.query<{ id: string }>(
    `SELECT e.id FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id ORDER BY e.sequence`,
  );
  expect(rows.map(({ id }) => id)).toEqual(logged.map(({ id }) => id));
  return rows.map(({ type }) => type);
}

function link(): void {
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  for (const name of LINKED) {
    const path = join(folder, 'node_modules', name);
    rmSync(path, { force: true });
    symlinkSync(join(workspace, 'node_modules', name), path);
  }
}

const environment = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATABASE_URL: database?.url,
  SYNC_KEY: 'a key of at least thirty-two characters',
});

function run(program: string, ...args: string[]): string {
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...environment() },
    timeout: 120_000,
  } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

interface Connected {
  path: string;
  secret: string;
}

/** Connects a customer by the program of the README. */
function connect(): Connected {
  const [endpoint = '', secret = ''] = run(process.execPath, 'connect.mjs').trim().split(' ');
  return { path: new URL(endpoint).pathname, secret };
}

function provider({ path, secret }: Connected, port: number) {
  return async (method: string, below: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${below}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': okta.contentType },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

async function start(program: string) {
  const port = await freePort();
  const env = { ...environment(), PORT: String(port) };
  const child = spawn(process.execPath, [program], { cwd: folder, env });
  started.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  await eventually(async () => {
    assert.equal(child.exitCode, null, printed);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
  });
  return { child, port, printed: () => printed };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  started.delete(child);
  return child.exitCode;
}
