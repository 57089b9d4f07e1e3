/** The commands at a gate with all services: results, exit codes, and what is kept secret. */
import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import {
  createTestDatabase,
  eventually,
  freePort,
  listenOnLoopback,
  startWebhookReceiver,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';
import { ADMIN_KEY, openSmall, type SmallGate } from '../../gatehouse/test/gate.js';
import { CommandLine, rowsOf, type Running } from './command-line.js';

let database: TestDatabase;
let gate: SmallGate;
let gatehouse: Gatehouse;
let cli: CommandLine;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openSmall(database);
  const url = gate.process.adminUrl;
  gatehouse = createGatehouse({ url, key: ADMIN_KEY });
  cli = new CommandLine({ GATEHOUSE_URL: url, GATEHOUSE_KEY: ADMIN_KEY });
});
afterAll(async () => {
  cli.close();
  await gate.close();
  await database.drop();
});

const run = (...args: string[]) => cli.run(...args);
const issue = async (name: string, actor_id: string) =>
  (await gatehouse.keys.issue({ name, actor_id })).issued_api_key;

describe('login', () => {
  let fresh: CommandLine;
  const profiles = () => join(fresh.folder, 'gatehouse', 'profiles.json');
  beforeAll(() => (fresh = new CommandLine()));
  afterAll(() => fresh.close());

  it('reads the key from stdin, checks it, and keeps it where only its owner reads it', async () => {
    const login = (key: string) =>
      fresh.start(['login', '--url', gate.process.adminUrl, '--profile', 'staging'], key).ended;
    expect(await login('a-wrong-key-of-the-tests-0123456789')).toMatchObject({ code: 1 });
    expect(await fresh.run('profiles')).toMatchObject({ code: 0, stdout: '' });

    expect(await login(`${ADMIN_KEY}\n`)).toMatchObject({ code: 0, stdout: '' });
    expect(statSync(profiles()).mode & 0o777).toBe(0o600);
    expect(statSync(join(profiles(), '..')).mode & 0o777).toBe(0o700);
    expect(await fresh.run('keys', 'list', '--profile', 'staging')).toMatchObject({ code: 0 });
    expect((await fresh.run('profiles')).stdout).not.toContain(ADMIN_KEY);
  });

  it('refuses a file that others may read', async () => {
    chmodSync(profiles(), 0o644);
    const { code, stderr } = await fresh.run('keys', 'list', '--profile', 'staging');
    expect([code, stderr]).toEqual([1, expect.stringContaining('chmod 600')]);
    chmodSync(profiles(), 0o600);
  });

  it('takes the environment before the default profile, and never mixes the two', async () => {
    await fresh.start(['login', '--url', gate.process.adminUrl], ADMIN_KEY).ended;
    const url = `http://127.0.0.1:${await freePort()}`;
    const elsewhere = fresh.with({ GATEHOUSE_URL: url, GATEHOUSE_KEY: 'another' });
    expect(await elsewhere.run('keys', 'list')).toMatchObject({ code: 3 });
    const half = fresh.with({ GATEHOUSE_URL: url });
    expect(await half.run('keys', 'list')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('GATEHOUSE_KEY is not'),
    });
    for (const each of [elsewhere, half]) each.close();
  });

  it('takes no key as an argument', async () => {
    expect(await fresh.run('login', ADMIN_KEY)).toMatchObject({ code: 2 });
  });

  it('has no profiles but those that were saved', async () => {
    const configured = fresh.with({
      GATEHOUSE_URL: gate.process.adminUrl,
      GATEHOUSE_KEY: ADMIN_KEY,
    });
    expect(await configured.run('keys', 'list', '--profile', 'constructor')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no profile "constructor"'),
    });
    expect(await configured.run('logout', '--profile', 'constructor')).toMatchObject({ code: 1 });
    configured.close();
  });

  it('ends with logout', async () => {
    expect(await fresh.run('logout')).toMatchObject({ code: 0 });
    expect(readFileSync(profiles(), 'utf8')).not.toContain('"default"');
    expect(await fresh.run('keys', 'list')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gatehouse login'),
    });
  });
});

describe('keys', () => {
  it('issue prints the secret alone to stdout', async () => {
    const { stdout, stderr } = await run(
      'keys',
      'issue',
      'CI',
      '--actor',
      'ada',
      '--scope',
      'a:b,c:d',
    );
    expect(stdout).toMatch(/^gate_sk_v1_\S+\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(await gatehouse.keys.verify({ credential: stdout.trim() })).toMatchObject({
      is_valid: true,
      scopes: ['a:b', 'c:d'],
    });
  });

  it('list prints a table, or with --json a line for each key; it says that there are more', async () => {
    for (const name of ['one', 'two', 'three']) await issue(name, 'lister');
    const list = (...args: string[]) => run('keys', 'list', '--actor', 'lister', ...args);
    const { stdout } = await list();
    expect(stdout.split('\n')[0]).toMatch(/^KEY +NAME +ACTOR +STATE/);
    expect(rowsOf(await list('--json')).map(({ name }) => name)).toEqual(['three', 'two', 'one']);
    const some = await list('--json', '--limit', '2');
    expect([rowsOf(some).length, some.stderr]).toEqual([2, expect.stringContaining('--all')]);
  });

  it.each(['id', 'key_preview'])('show finds a key by its %s', async (how) => {
    const { key_id, key_preview } = await issue('Wanted', 'bob');
    const reference = how === 'id' ? key_id : `...${key_preview.slice(-4)}`;
    expect(JSON.parse((await run('keys', 'show', reference, '--json')).stdout)).toMatchObject({
      key_id,
    });
  });

  it('neither sends nor repeats a whole secret', async () => {
    const { secret } = await gatehouse.keys.issue({ name: 'CI', actor_id: 'ada' });
    const { code, stderr } = await run('keys', 'show', secret);
    expect([code, stderr]).toEqual([2, expect.not.stringContaining(secret)]);
  });

  it('why says in words why a key is refused, and what was refused lately', async () => {
    const { secret, issued_api_key } = await gatehouse.keys.issue({
      name: 'Paused',
      actor_id: 'cleo',
    });
    const { key_id } = issued_api_key;
    expect((await run('keys', 'why', key_id)).stdout).toContain('The key "Paused" of cleo works.');
    await gatehouse.keys.pause({ key_id });
    await gatehouse.keys.verify({ credential: secret });
    await eventually(async () => {
      const { stdout } = await run('keys', 'why', key_id);
      expect(stdout).toMatch(/is refused\. It is paused: an administrator did it/);
      expect(stdout).toMatch(/\n.+ 1 +it was paused/);
    });
  });

  it('rotate and revoke ask first, and need --yes where there is no terminal', async () => {
    const { key_id } = await issue('Ending', 'dora');
    expect(await run('keys', 'revoke', key_id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await gatehouse.keys.get({ key_id })).toMatchObject({ status: 'KEY_STATUS_ACTIVE' });
    const rotated = await run('keys', 'rotate', key_id, '--grace', '1h', '--yes');
    expect(rotated.stdout).toMatch(/^gate_sk_v1_\S+\n$/);
    const revoked = await run('keys', 'revoke', key_id, '--reason', 'compromised', '--yes');
    expect(revoked.code).toBe(0);
    expect(await gatehouse.keys.get({ key_id })).toMatchObject({
      status: 'KEY_STATUS_REVOKED',
      revocation_reason: 'REVOCATION_REASON_KEY_COMPROMISE',
    });
  });
});

describe('directories', () => {
  it('show says how a directory is doing, and what its provider sent last', async () => {
    const { id, scim } = await gatehouse.directories.create({ tenant: 'acme', product: 'shown' });
    const provider = createGatehouse({ url: gate.process.adminUrl, key: scim.secret });
    await provider.scim.users.create({ directoryId: id, userName: 'ada' });
    await eventually(async () => {
      const { stdout } = await run('directories', 'show', 'acme/shown');
      expect(stdout).toMatch(/Health +healthy/);
      expect(stdout).toMatch(/POST +\S*\/Users +201/);
    });
    expect(rowsOf(await run('directories', 'requests', id, '--status', '4xx', '--json'))).toEqual(
      [],
    );
    expect((await run('directories', 'list', '--product', 'shown')).stdout).toContain(id);
  });

  it('approve shows what a held run would remove, and carries it out', async () => {
    const { id, scim } = await gatehouse.directories.create({ tenant: 'acme', product: 'guarded' });
    const provider = createGatehouse({ url: gate.process.adminUrl, key: scim.secret });
    const user = await provider.scim.users.create({ directoryId: id, userName: 'ada' });
    await gatehouse.directories.guard.update({ directoryId: id, max_deletes: 0 });
    const removal = provider.scim.users.delete({ directoryId: id, id: String(user['id']) });
    await expect(removal).rejects.toMatchObject({ status: 403 });
    expect(await run('directories', 'approve', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('users deleted: 1'),
    });
    expect(await run('directories', 'approve', id, '--yes')).toMatchObject({ code: 0 });
    await eventually(async () => {
      expect(await gatehouse.directories.users.list({ directoryId: id })).toEqual([]);
    });
  });
});

describe('forms', () => {
  it('schema push says where a schema is wrong', async () => {
    const file = join(cli.folder, 'wrong.schema.json');
    const traits = { type: 'object', properties: { email: { type: 'strin' } } };
    writeFileSync(file, JSON.stringify({ type: 'object', properties: { traits } }));
    expect(await run('forms', 'schema', 'push', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ {2}\/schema\/properties\/traits\/properties\/email\S* \S/m),
    });
    const { stderr } = await run('forms', 'schema', 'push', file, '--json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { errors: [expect.anything()] } });
  });

  it('schema push registers a schema, and then adds versions; decode reads a form by it', async () => {
    const file = join(cli.folder, 'visitor.schema.yaml');
    const push = async (type: string) => {
      writeFileSync(
        file,
        `properties: { traits: { type: object, properties: { age: { type: ${type} } } } }`,
      );
      return JSON.parse((await run('forms', 'schema', 'push', file, '--json')).stdout) as object;
    };
    expect(await push('string')).toMatchObject({ id: 'visitor', version: 1 });
    expect(await push('integer')).toMatchObject({ id: 'visitor', version: 2 });
    const decoded = await run('forms', 'decode', 'visitor', 'traits.age=36');
    expect(JSON.parse(decoded.stdout)).toEqual({ age: 36 });
    expect(await cli.start(['forms', 'decode', 'visitor'], 'traits.age=x').ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^traits\.age: .*\nError: /),
    });
  });
});

describe('events', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => (receiver = await startWebhookReceiver()));
  afterEach(() => receiver.close());
  /** The name of the key that a webhook, or a line, is about. */
  const nameIn = (text: string) => (JSON.parse(text) as { data: { name: string } }).data.name;

  it('tail prints the log from its beginning, then what comes, and ends at Ctrl-C', async () => {
    await issue('Before', 'tail');
    const choice = ['--keys', '--since', 'beginning', '--type', 'key.issued', '--json'];
    const tail = cli.start(['events', 'tail', ...choice]);
    const names = () => tail.printed.stdout.trim().split('\n').map(nameIn);
    await eventually(() => expect(names()).toContain('Before'));
    await issue('Meanwhile', 'tail');
    await eventually(() => expect(names().at(-1)).toBe('Meanwhile'));
    // Other users of the machine see the arguments of a process.
    expect(readFileSync(`/proc/${tail.child.pid}/cmdline`, 'utf8')).not.toContain(ADMIN_KEY);
    tail.child.kill('SIGINT');
    expect(await tail.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('tail goes on after the directory of the last event is deleted', async () => {
    const [gone, stays] = [await newDirectory('gone'), await newDirectory('stays')];
    const choice = ['--since', 'beginning', '--type', 'group.created', '--json'];
    const tail = cli.start(['events', 'tail', ...choice]);
    const names = () => tail.printed.stdout.trim().split('\n').filter(Boolean).map(nameIn);
    await stays.addGroup('first');
    await gone.addGroup('last');
    await eventually(() => expect(names().slice(-2)).toEqual(['first', 'last']));
    await gatehouse.directories.delete({ id: gone.id });
    await stays.addGroup('later');
    await eventually(() => expect(names().slice(-3)).toEqual(['first', 'last', 'later']));
    tail.child.kill('SIGINT');
    expect(await tail.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('tail of a directory begins after its own newest event, whatever others do', async () => {
    const [quiet, busy] = [await newDirectory('quiet'), await newDirectory('busy')];
    const addGroups = async (name: string) => {
      await quiet.addGroup(name);
      await busy.addGroup('of another directory');
    };
    await addGroups('before');
    const tail = cli.start(['events', 'tail', '--directory', quiet.id, '--json']);
    await eventually(async () => {
      expect(tail.child.exitCode).toBeNull();
      await addGroups('new');
      expect(tail.printed.stdout.split('\n')[0]).toContain('"new"');
    });
    expect(tail.printed.stdout).not.toContain('before');
    tail.child.kill('SIGINT');
    expect(await tail.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('replay and resend send again, and say to how many', async () => {
    await gatehouse.identities.webhookEndpoints.create({ url: receiver.url });
    const schema = { properties: { traits: { type: 'object' } } };
    await gatehouse.schemas.register({ id: 'resent', schema });
    await gatehouse.identities.create({ schema_id: 'resent', traits: {} });
    const idsAfter = async (count: number) =>
      (await receiver.waitFor(count)).map(({ body }) => (JSON.parse(body) as { id: string }).id);
    const [id = ''] = await idsAfter(1);
    expect((await run('events', 'resend', id, '--identities')).code).toBe(0);
    await idsAfter(2);
    const replay = await run('events', 'replay', '--identities', '--from', '1h', '--json');
    expect(JSON.parse(replay.stdout)).toEqual({ endpoints: 1 });
    expect(await idsAfter(3)).toEqual([id, id, id]);
    expect(await run('events', 'replay', '--from', '1h')).toMatchObject({ code: 2 });
  });

  it('listen forwards events in order, signed, over a receiver that is away for a while', async () => {
    const secret = (await run('listen', '--print-secret')).stdout.trim();
    expect(statSync(join(cli.folder, 'gatehouse', 'listen-secret')).mode & 0o777).toBe(0o600);
    let isAway = false;
    receiver.respond(() => ({ hangUp: isAway }));
    const accepted = () => receiver.received.filter(({ answered }) => answered === 200);
    const first = await issue('1', 'listen');
    const since = await eventIdOf(first.key_id);
    const to = `${new URL(receiver.url).host}/hook`;
    const listen = cli.start(['listen', '--keys', '--since', since, '--forward-to', to]);
    await issue('2', 'listen');
    await eventually(() => expect(accepted()).toHaveLength(1));
    isAway = true;
    for (const name of ['3', '4', '5']) await issue(name, 'listen');
    await eventually(() => expect(listen.printed.stderr).toContain('Later events wait'));
    isAway = false;
    await eventually(() => expect(accepted()).toHaveLength(4));
    expect(accepted().map(({ body }) => nameIn(body))).toEqual(['2', '3', '4', '5']);
    for (const { headers, body } of accepted()) {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
    listen.child.kill('SIGINT');
    const { code, stderr } = await listen.ended;
    expect([code, stderr.split(secret).length - 1]).toEqual([0, 1]);
    expect(stderr).toContain('Stopped after 4 events.');
  });
});

async function newDirectory(tenant: string) {
  const { id, scim } = await gatehouse.directories.create({ tenant, product: 'events' });
  const { groups } = createGatehouse({ url: gate.process.adminUrl, key: scim.secret }).scim;
  const addGroup = (displayName: string) => groups.create({ directoryId: id, displayName });
  return { id, addGroup };
}

async function eventIdOf(keyId: string): Promise<string> {
  for await (const { id, data } of gatehouse.keys.events.list.all({ page_size: 1_000 })) {
    if (data['key_id'] === keyId) return id;
  }
  throw new Error(`no event of the key ${keyId}`);
}

describe('failures', () => {
  it('end with 1, a message and the id of the request if Gatehouse refuses', async () => {
    const id = '01935c9a-7d1e-7c3f-9a55-2f0d8f1b6a11';
    expect(await run('keys', 'show', id)).toMatchObject({ code: 1, stdout: '' });
    const { code, stderr } = await run('events', 'resend', id, '--json');
    expect([code, JSON.parse(stderr)]).toMatchObject([
      1,
      { error: { status: 404, message: expect.any(String), request_id: expect.any(String) } },
    ]);
  });

  it('show no key, also as JSON', async () => {
    const key = 'a-wrong-key-of-the-tests-0123456789';
    const wrong = cli.with({ GATEHOUSE_KEY: key });
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await wrong.run('keys', 'list', ...args);
      expect([code, stdout, stderr]).toEqual([1, '', expect.not.stringContaining(key)]);
    }
    wrong.close();
  });

  it('end with 2 if the command line is wrong', async () => {
    for (const args of [
      ['nonsense'],
      ['keys'],
      ['keys', 'list', '--nonsense'],
      ['keys', 'list', '--limit', '0'],
    ]) {
      expect([args, await run(...args)]).toEqual([
        args,
        expect.objectContaining({ code: 2, stdout: '' }),
      ]);
    }
  });

  it('end with 2 if the address or the key is malformed, and do not repeat the key', async () => {
    for (const [name, value] of [
      ['GATEHOUSE_URL', 'localhost'],
      ['GATEHOUSE_KEY', 'a\nsecret'],
    ] as const) {
      const wrong = cli.with({ [name]: value });
      const { code, stderr } = await wrong.run('keys', 'list');
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^Error: The (?!.*secret).*\n$/)]);
      wrong.close();
    }
  });

  it('are JSON with --json, also those of the command line', async () => {
    for (const args of [
      ['keys', 'list', '--nonsense', '--json'],
      ['keys', '--json'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([code, JSON.parse(stderr)]).toEqual([2, { error: { message: expect.any(String) } }]);
    }
  });

  it('end with 3 if Gatehouse is not reachable', async () => {
    const away = cli.with({ GATEHOUSE_URL: `http://127.0.0.1:${await freePort()}` });
    expect(await away.run('keys', 'list')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('ECONNREFUSED'),
    });
    away.close();
  });
});

describe('at a terminal', () => {
  const answer = async (running: Running, question: string, reply: string) => {
    await eventually(() => expect(running.printed.stdout).toContain(question));
    running.child.stdin?.write(`${reply}\r`);
  };

  it('login asks for the key, and does not show it', async () => {
    const login = cli.startAtTerminal('login', '--url', gate.process.adminUrl);
    await answer(login, 'Key: ', ADMIN_KEY);
    const { code, stdout } = await login.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('is saved')]);
    expect(stdout).not.toContain(ADMIN_KEY);
  });

  it('a table fits, and has colors unless NO_COLOR is set', async () => {
    await issue('A name that is too long for a narrow terminal', 'terminal');
    const list = ['keys', 'list', '--actor', 'terminal'];
    const { stdout } = await cli.startAtTerminal(...list).ended;
    expect(stdout).toContain('\x1b[');
    const plain = cli.with({ NO_COLOR: '1' });
    const { stdout: uncolored } = await plain.startAtTerminal(...list).ended;
    plain.close();
    expect(uncolored).not.toContain('\x1b[');
    const lines = uncolored.split('\r\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('a question shows control characters in names instead of sending them', async () => {
    const key = { key_id: randomUUID(), name: '\x1b[2J', actor_id: 'a\nb' };
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(key));
    });
    const hostile = cli.with({
      GATEHOUSE_URL: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    });
    const revoke = hostile.startAtTerminal('keys', 'revoke', key.key_id);
    await answer(revoke, 'Revoke the key "\\x1b[2J" of a\\nb?', 'n');
    expect((await revoke.ended).code).toBe(1);
    hostile.close();
    server.close();
  });

  it('revoke asks, and no is no', async () => {
    const { key_id } = await issue('Kept', 'terminal');
    const revoke = cli.startAtTerminal('keys', 'revoke', key_id);
    await answer(revoke, 'Revoke the key "Kept" of terminal? [y/N]', 'n');
    expect((await revoke.ended).code).toBe(1);
    expect(await gatehouse.keys.get({ key_id })).toMatchObject({ status: 'KEY_STATUS_ACTIVE' });
  });
});

it('prints the address of the reference where there is no desktop', async () => {
  expect(await run('open')).toMatchObject({ code: 0, stdout: `${gate.process.adminUrl}/docs\n` });
});
