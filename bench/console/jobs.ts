/** The jobs of docs/console.md, as a person does them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type ConsolePerson, eventually } from '@gatehouse/testing';
import { type Job, providerOf, type WalkedStack } from './walk.js';

const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString('hex')}`;
const main = ({ page }: ConsolePerson) => page.getByRole('main');
const shows = (person: ConsolePerson, text: string | RegExp) =>
  main(person).getByText(text).first().waitFor();

async function issueKey({ gatehouse }: WalkedStack, owner = unique('owner')) {
  const name = unique('key');
  const { secret, issued_api_key: key } = await gatehouse.keys.issue({ name, actor_id: owner });
  return { name, secret, id: key.key_id };
}

type Customer = Pick<WalkedStack, 'provider' | 'customer'>;

async function addUser({ provider, customer }: Customer, userName = unique('user')) {
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const { id } = await provider.create({ directoryId: customer, schemas, userName });
  return { userName, id: String(id) };
}

async function addIdentity({ gatehouse }: WalkedStack) {
  const email = `${unique('person')}@example.com`;
  const { id } = await gatehouse.identities.create({ schema_id: 'walked', traits: { email } });
  return { email, id };
}

/** A directory whose guard holds the removal of a user: an approval opens it for a while. */
async function heldDirectory({ server, gatehouse }: WalkedStack) {
  const { directories } = gatehouse;
  const name = unique('customer');
  const directory = await directories.create({ tenant: name, product: 'bench', name });
  const directoryId = directory.id;
  await directories.guard.update({ directoryId, max_deletes: 0 });
  const provider = providerOf(server.url, directory.scim.secret);
  const { id } = await addUser({ provider, customer: directoryId });
  await provider.delete({ directoryId, id }).catch(() => undefined);
  const [run] = await directories.runs.list({ directoryId, pageLimit: 1 });
  assert.equal(run?.state, 'held');
  return { name, run: { directoryId, runId: run.id } };
}

async function endpointAt(stack: WalkedStack, path: string) {
  const { webhookEndpoints } = stack.gatehouse.directories;
  const input = { directoryId: stack.customer };
  const url = stack.receiver.url + path;
  const { webhook_endpoints: known } = await webhookEndpoints.list(input);
  const { id } =
    known.find((each) => each.url === url) ??
    (await webhookEndpoints.create({ ...input, url, types: ['user.created'] }));
  return { url, named: { ...input, id }, webhookEndpoints };
}

/** Searches for a record, and opens it. */
async function find(person: ConsolePerson, text: string): Promise<void> {
  await person.search(text);
  await person.press(text, main(person));
}

const ofKey = (name: string, acts: readonly string[], shown: string | RegExp): Job => ({
  name,
  prepare: async (stack) => {
    const key = await issueKey(stack);
    const walk = async (person: ConsolePerson) => {
      await find(person, key.name);
      for (const act of acts) await person.press(act, main(person));
      await shows(person, shown);
    };
    return { walk };
  },
});

const onHeld = (name: string, act: 'Approve' | 'Discard', state: string): Job => ({
  name,
  prepare: async (stack) => {
    const { name, run } = await heldDirectory(stack);
    return {
      walk: async (person) => {
        await find(person, name);
        await person.press(act, main(person));
        await shows(person, 'Users deleted');
        await person.press(act, main(person));
        await shows(person, act === 'Approve' ? 'The run was started.' : 'The run was discarded.');
      },
      proof: () =>
        eventually(async () => {
          assert.equal((await stack.gatehouse.directories.runs.get(run)).state, state);
        }),
    };
  },
});

export const JOBS: readonly Job[] = [
  {
    name: 'find a key by its last characters, and why it was refused',
    prepare: async (stack) => {
      const { keys } = stack.gatehouse;
      const { id: key_id, name, secret } = await issueKey(stack);
      await keys.verify({ credential: secret, required_scopes: ['orders:write'] });
      await eventually(async () =>
        assert.equal((await keys.refusals({ key_id })).refusals.length, 1),
      );
      return {
        walk: async (person) => {
          await person.press('Keys');
          await person.enter('Key', secret.slice(-4));
          await person.press(name);
          await shows(person, 'a required scope is missing');
        },
      };
    },
  },
  ofKey('pause and resume a key', ['Pause', 'Resume'], /This key works/),
  ofKey('revoke a key', ['Revoke', 'Revoke'], /by an administrator/),
  ofKey('rotate a key', ['Rotate', 'Rotate'], /^gate_sk/),
  {
    name: 'take a revocation back',
    prepare: async (stack) => {
      const { id: key_id, name } = await issueKey(stack);
      await stack.gatehouse.keys.revoke({
        key_id,
        reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
      });
      return {
        walk: async (person) => {
          await find(person, name);
          await person.press('Take the revocation back', main(person));
          await shows(person, /This key works/);
        },
      };
    },
  },
  {
    name: 'one person: keys, usage, directories',
    prepare: async (stack) => {
      const { id } = await addUser(stack);
      const { name, secret } = await issueKey(stack, id);
      await stack.gatehouse.keys.verify({ credential: secret });
      return {
        walk: async (person) => {
          await person.press('People');
          await person.enter('Owner', id);
          await person.section('Keys').getByText(name).waitFor();
          await person.section('In linked directories').getByText('bench · bench').waitFor();
        },
      };
    },
  },
  {
    name: 'is the directory of a customer alive',
    prepare: async (stack) => {
      await addUser(stack);
      return {
        walk: async (person) => {
          await find(person, 'Acme');
          await main(person).locator('.lead').waitFor();
        },
      };
    },
  },
  {
    name: 'what its provider sent, and what was wrong',
    prepare: async (stack) => {
      const { userName, id } = await addUser(stack);
      await addUser(stack, userName).catch(() => undefined);
      await eventually(async () => {
        const input = { directoryId: stack.customer, status: '409', limit: 1 };
        const [found] = await stack.gatehouse.directories.requests.list(input);
        assert.ok(found && found.time > new Date(Date.now() - 60_000).toISOString(), id);
      });
      return {
        walk: async (person) => {
          await find(person, 'Acme');
          await person.press('the last run or request failed', main(person));
          await person.press(/UTC/, main(person).getByRole('row').filter({ hasText: '/Users' }));
          await shows(person, /The request was refused/);
        },
      };
    },
  },
  onHeld('a held run: its plan, and approve it', 'Approve', 'succeeded'),
  onHeld('a held run: its plan, and discard it', 'Discard', 'discarded'),
  {
    name: 'a failing endpoint: why, and send all since then again',
    prepare: async (stack) => {
      const { url, named, webhookEndpoints } = await endpointAt(stack, '/failing');
      const isIn = (state: string) =>
        eventually(async () => assert.equal((await webhookEndpoints.get(named)).state, state));
      stack.receiver.respond(({ path }) => ({ status: path === '/failing' ? 500 : 200 }));
      await addUser(stack);
      await isIn('failing');
      return {
        walk: async (person) => {
          await find(person, url);
          await shows(person, /Failing since/);
          await person.press('Send events again', main(person));
          await person.press('Send events again', main(person));
          await shows(person, 'It is being sent again.');
        },
        proof: async () => {
          stack.receiver.respond(() => ({}));
          await isIn('healthy');
        },
      };
    },
  },
  {
    name: 'a parked event: deliver it again',
    prepare: async (stack) => {
      const { url, named, webhookEndpoints } = await endpointAt(stack, '/parked');
      const areParked = (count: number) =>
        eventually(async () => assert.equal((await webhookEndpoints.status(named)).dead, count), {
          timeoutMs: 60_000,
        });
      // A ping is accepted: the event is the cause, not the endpoint.
      stack.receiver.respond(({ path, body }) => ({
        status: path === '/parked' && !body.includes('webhook.ping') ? 422 : 200,
      }));
      await addUser(stack);
      await areParked(1);
      stack.receiver.respond(() => ({}));
      return {
        walk: async (person) => {
          await find(person, url);
          await person.press('Deliver again', main(person));
          await shows(person, 'It is being sent again.');
        },
        proof: () => areParked(0),
      };
    },
  },
  {
    name: 'write a schema with its form beside it',
    prepare: ({ gatehouse }) => {
      const id = unique('schema');
      const city = { type: 'string', title: 'Your city' };
      const traits = { type: 'object', properties: { city } };
      return Promise.resolve({
        walk: async (person) => {
          await person.press('Forms');
          await person.press('New schema');
          const text = JSON.stringify({ type: 'object', properties: { traits } });
          await person.page.getByLabel('JSON Schema').fill(text);
          await person.page.getByRole('textbox', { name: 'Your city' }).waitFor();
          await person.page.getByLabel('Id', { exact: true }).fill(id);
          // Filling in the fields counts as one.
          person.clicks += 1;
          await person.press('Save');
          await shows(person, 'The change was saved.');
        },
        proof: () => gatehouse.schemas.get({ id }),
      });
    },
  },
  {
    name: 'find and export a person',
    prepare: async (stack) => {
      const { email } = await addIdentity(stack);
      return {
        walk: async (person) => {
          await find(person, email);
          const download = person.page.waitForEvent('download');
          await person.press('Export as JSON').catch(() => undefined);
          await (await download).path();
        },
      };
    },
  },
  {
    name: 'erase a person',
    prepare: async (stack) => {
      const { email, id } = await addIdentity(stack);
      return {
        walk: async (person) => {
          await find(person, email);
          await person.press('Erase', main(person));
          await shows(person, 'This cannot be undone');
          await person.press('Erase', main(person));
          await shows(person, 'It was deleted.');
        },
        proof: () => assert.rejects(stack.gatehouse.identities.get({ id }), { status: 404 }),
      };
    },
  },
  {
    name: 'who changed this, and is all well',
    prepare: async (stack) => {
      const { id } = await issueKey(stack);
      return {
        walk: async (person) => {
          await shows(person, 'What needs a person now');
          await person.press('Audit log', person.page.getByRole('navigation').first());
          await person.enter('Target', id);
          await shows(person, 'key.issued');
        },
      };
    },
  },
];
