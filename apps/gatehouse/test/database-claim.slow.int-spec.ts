/** The claim of a process on its database, when its connection is lost in ways that one side does not see. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { createTestDatabase, eventually, type TestDatabase } from '@gatehouse/testing';
import { DatabaseClaim } from '../src/database-claim.js';

let database: TestDatabase;
let claim: DatabaseClaim;
let lost: Error[];
let way: Server;
/** The connections that the claim has opened. */
let opened: Socket[];
let beyond: Socket[];

beforeEach(async () => {
  database = await createTestDatabase();
  [lost, opened, beyond] = [[], [], []];
  const { hostname, port } = new URL(database.url);
  way = createServer((socket) => {
    const server = connect(Number(port || 5432), hostname);
    for (const end of [socket, server]) end.on('error', () => undefined);
    // Neither side hears of the end of the other.
    socket.pipe(server, { end: false }).pipe(socket, { end: false });
    opened.push(socket);
    beyond.push(server);
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  const databaseUrl = Object.assign(new URL(database.url), {
    host: `127.0.0.1:${(way.address() as AddressInfo).port}`,
  }).href;
  claim = await DatabaseClaim.take(
    { databaseUrl, isShared: false, logger: createLogger('test', 'silent') },
    (error) => lost.push(error),
  );
});
afterEach(async () => {
  await claim.release();
  for (const socket of [...opened, ...beyond]) socket.destroy();
  way.close();
  await database.drop();
});

async function holder(): Promise<number | undefined> {
  const [row] = await database.query<{ pid: number }>(
    `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()`,
  );
  return row?.pid;
}

async function expectNewHolder(former: number | undefined): Promise<void> {
  expect(former).toBeDefined();
  await eventually(async () => {
    const pid = await holder();
    expect(pid).toBeDefined();
    expect(pid).not.toBe(former);
  });
  expect(lost).toEqual([]);
}

it('takes the claim again if the server still holds the session that was lost', async () => {
  const former = await holder();
  opened[0]?.destroy();
  await expectNewHolder(former);
});

it('takes the claim again if the server has ended a session that seems to live', async () => {
  const former = await holder();
  opened[0]?.unpipe();
  beyond[0]?.unpipe();
  beyond[0]?.destroy();
  await expectNewHolder(former);
});
