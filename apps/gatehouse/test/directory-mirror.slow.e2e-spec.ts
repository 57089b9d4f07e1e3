/** examples/directory-mirror and docs/follow-a-directory.md on the packed client. */
import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import { createTestDatabase, eventually, freePort, type TestDatabase } from '@gatehouse/testing';
import { ExampleProgram } from './example-program.js';
import { ADMIN_KEY, openSmall, type SmallGate } from './gate.js';

const SECRET = 'a-secret-of-the-example-0123456789';
const ROUNDS = 2;
const DIRECTORY = {
  people: 'SELECT id, email, active FROM dsync.users ORDER BY id',
  teams: 'SELECT id, display_name AS name FROM dsync.groups ORDER BY id',
  members: 'SELECT group_id AS team, user_id AS person FROM dsync.group_members ORDER BY 1, 2',
};
const MIRROR = {
  people: 'SELECT id, email, active FROM people ORDER BY id',
  teams: 'SELECT id, name FROM teams ORDER BY id',
  members: 'SELECT team, person FROM members ORDER BY 1, 2',
};

let database: TestDatabase;
let own: TestDatabase;
let ports: Record<string, string>;
let gate: SmallGate;
let example: ExampleProgram;
beforeEach(async () => {
  database = await createTestDatabase();
  own = await createTestDatabase();
  ports = { PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) };
  gate = await openSmall(database, ports);
});
afterEach(async () => {
  await example.remove();
  await gate.close();
  await own.drop();
  await database.drop();
});

const start = () =>
  example.start({
    DATABASE_URL: own.url,
    GATEHOUSE_URL: gate.process.adminUrl,
    GATEHOUSE_KEY: ADMIN_KEY,
    WEBHOOK_SECRET: SECRET,
  });

/** Creates a directory whose webhook is the example. @returns what its provider calls */
async function newDirectory(): Promise<[Gatehouse['scim'], { directoryId: string }]> {
  const url = gate.process.adminUrl;
  const { id = '', scim } = await createGatehouse({ url, key: ADMIN_KEY }).directories.create({
    tenant: 'acme',
    product: 'shop',
    webhook_url: `${example.url}/hooks/directory`,
    webhook_secret: SECRET,
  });
  return [createGatehouse({ url, key: scim?.secret }).scim, { directoryId: id }];
}

async function tablesOf(from: TestDatabase, queries: typeof MIRROR): Promise<object> {
  const [people, teams, members] = await Promise.all(
    [queries.people, queries.teams, queries.members].map((query) => from.query(query)),
  );
  return { people, teams, members };
}

it('the example mirrors a directory while it and Gatehouse are killed', async () => {
  example = ExampleProgram.fromFolder('directory-mirror');
  await start();
  const [scim, of] = await newDirectory();
  const change = async (name: string) => {
    const emails = [{ value: `${name}@example.com` }];
    const { id = '' } = await scim.users.create({ ...of, userName: name, emails });
    const { id: leaver = '' } = await scim.users.create({ ...of, userName: `${name} leaves` });
    const members = [{ value: id }, { value: leaver }];
    await scim.groups.create({ ...of, displayName: `crew of ${name}`, members });
    await scim.users.replace({ ...of, id, userName: name, emails, active: false });
    await scim.users.delete({ ...of, id: leaver });
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await change(`before ${round}`);
    await example.stop('SIGKILL');
    await change(`without the example ${round}`);
    await start();
    await change(`with both ${round}`);
    await gate.process.kill();
    gate = await openSmall(database, ports);
    await change(`after ${round}`);
  }
  await eventually(async () =>
    expect(await tablesOf(own, MIRROR)).toEqual(await tablesOf(database, DIRECTORY)),
  );
  expect(await (await fetch(`${example.url}/people`)).json()).toHaveLength(4 * ROUNDS);
  expect(await example.stop()).toBe(0);
});

it('the program of the page keeps the users of all directories, and refuses what is not signed', async () => {
  example = ExampleProgram.fromPage('follow-a-directory.md', ['fastify', 'pg']);
  await start();
  const [scim, of] = await newDirectory();
  const ada = await scim.users.create({ ...of, userName: 'ada', active: false });
  const bob = await scim.users.create({ ...of, userName: 'bob' });
  await scim.users.delete({ ...of, id: bob.id ?? '' });
  await eventually(async () =>
    expect(await own.query('SELECT id, active FROM people')).toEqual([
      { id: ada.id, active: false },
    ]),
  );
  const headers = { 'content-type': 'application/json' };
  const forged = { method: 'POST', headers, body: '{"event":"user.deleted"}' };
  expect((await fetch(`${example.url}/hooks/directory`, forged)).status).toBe(401);
});
