/** An installation moves from one process to four and back, on its database and its secret. */
import {
  createTestDatabase,
  eventually,
  startWebhookReceiver,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { ADMIN_KEY, type Gate, openSmall, openSplit } from './gate.js';
import { Administrator, enterConsole, enterPortal, enterSetup, openSignUp } from './visitor.js';

const ADMIN_KEYS = '/v2alpha1/admin/issuedApiKeys';
const JWKS = '/v2alpha1/derivedKeys/jwks.json';
const QUOTA = 7;

let database: TestDatabase;
let receiver: WebhookReceiver;
let gate: Gate;
/** At the layout that runs. */
let administrator: Administrator;

beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  await enter(openSmall);
});
afterEach(async () => {
  await gate.close();
  await receiver.close();
  await database.drop();
});

async function enter(open: (at: TestDatabase) => Promise<Gate>): Promise<void> {
  gate = await open(database);
  administrator = new Administrator(gate);
}

async function moveTo(open: (at: TestDatabase) => Promise<Gate>): Promise<void> {
  await gate.close();
  await enter(open);
}

it('keeps its keys, their limits and tokens, and the keys that sign tokens', async () => {
  const { id, secret } = await administrator.issue();
  const limited = await administrator.issue({
    rate_limit_policy: { quota: QUOTA, window: '3600s' },
  });
  const revoked = await administrator.issue();
  await administrator.revoke(revoked.id);
  const token = await administrator.derive(secret);
  const { body: jwks } = await gate.publicSurface.send('GET', JWKS);
  const { body: stored } = await administrator.ask('GET', `${ADMIN_KEYS}/${limited.id}`);

  for (const open of [openSplit, openSmall]) {
    await moveTo(open);
    for (const credential of [secret, token]) {
      expect(await administrator.verify(credential)).toMatchObject({ is_valid: true, key_id: id });
    }
    expect(await administrator.verify(revoked.secret)).toMatchObject({ is_valid: false });
    const { body: found } = await administrator.ask('GET', `${ADMIN_KEYS}/${limited.id}`);
    expect(found.rate_limit_policy).toEqual(stored.rate_limit_policy);
    const verified = await Promise.all(
      Array.from({ length: 3 * QUOTA }, () => administrator.verify(limited.secret)),
    );
    expect(verified.filter(({ is_valid: isValid }) => isValid)).toHaveLength(QUOTA);
    expect((await gate.publicSurface.send('GET', JWKS)).body).toEqual(jwks);
  }
});

it('keeps portal sessions, setup links and their sessions, and sign-ups that have begun', async () => {
  await administrator.newSchema('visitor');
  const signUps = [await openSignUp(gate, 'visitor'), await openSignUp(gate, 'visitor')];
  const links = [await administrator.setupLink(), await administrator.setupLink()];
  const portal = await enterPortal(gate, await administrator.portal('grace'));
  const setup = await enterSetup(gate, await administrator.setupLink());
  const statusOf = async (path: string, cookie: string) =>
    (await gate.publicSurface.send('GET', path, { headers: { cookie } })).status;

  for (const [index, open] of [openSplit, openSmall].entries()) {
    await moveTo(open);
    expect(await statusOf('/portal/keys', portal)).toBe(200);
    expect(await statusOf('/setup/provider', setup)).toBe(200);
    const opened = await enterSetup(gate, links[index] ?? '');
    expect(await statusOf('/setup/provider', opened)).toBe(200);
    const email = `visitor-${index}@example.com`;
    expect(await signUps[index]?.(gate, email)).toMatchObject({ traits: { email } });
  }
});

it('keeps the sessions of the console, which has the same pages in both layouts', async () => {
  const sessions = [await enterConsole(gate, ADMIN_KEY)];
  for (const open of [openSplit, openSmall]) {
    await moveTo(open);
    sessions.push(await enterConsole(gate, ADMIN_KEY));
    for (const cookie of sessions) {
      const { status } = await gate.adminSurface.send('GET', '/console/access', {
        headers: { cookie },
      });
      expect(status).toBe(200);
    }
    expect((await gate.publicSurface.send('GET', '/console/')).status).toBe(404);
  }
});

it('keeps the events for a receiver that is away during both moves, and their order', async () => {
  const away = `${receiver.url}/away`;
  let isAway = true;
  receiver.respond(({ path }) => ({ status: path !== '/present' && isAway ? 503 : 200 }));
  const { status } = await administrator.ask('POST', '/v2alpha1/admin/webhook-endpoints', {
    url: `${receiver.url}/keys`,
  });
  expect(status).toBe(201);
  const directory = await administrator.newDirectory(away);
  const present = await administrator.newDirectory(`${receiver.url}/present`);
  const acceptedAt = (hook: string) =>
    receiver.received
      .filter(({ path, answered }) => path === hook && answered === 200)
      .map(({ body }) => JSON.parse(body).data);
  const sent = { directory: [] as string[], present: [] as string[], keys: [] as string[] };

  const change = async (layout: string) => {
    const refusals = receiver.received.length;
    for (let n = 0; n < 5; n += 1) {
      const userName = `${layout}-${n}@example.com`;
      sent.directory.push(await directory.at(gate).createUser(userName));
      sent.present.push(await present.at(gate).createUser(userName));
      sent.keys.push((await administrator.issue()).id);
    }
    // The layout delivers, and the receiver that is away has been tried.
    await eventually(() => {
      expect(acceptedAt('/present').map(({ id }) => id)).toEqual(sent.present);
      const tried = receiver.received.slice(refusals).map(({ path }) => path);
      expect(tried).toEqual(expect.arrayContaining(['/away', '/keys']));
    });
  };

  await change('small');
  const schema = await database.query('SELECT FROM pg_namespace WHERE nspname = $1', ['bullmq']);
  expect(schema).toHaveLength(1);
  await moveTo(openSplit);
  await change('split');
  await moveTo(openSmall);
  await change('small-again');
  isAway = false;
  await eventually(() => {
    expect(acceptedAt('/away').map(({ id }) => id)).toEqual(sent.directory);
    expect(acceptedAt('/keys').map(({ key_id: id }) => id)).toEqual(sent.keys);
  });
});
