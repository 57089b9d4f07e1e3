/** What becomes of people reaches the key service: event by event, and whole after other changes. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { randomUUID } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import { KeyFeedRepository } from '../../src/key-feed/key-feed.repository.js';
import { importing } from '../imports/importing.js';
import { ScriptedSource } from '../imports/scripted-source.js';
import { patch, user } from '../harness.js';
import { useKeyLinks } from './key-link-fixture.js';

const fixture = useKeyLinks();
const deactivation = patch({ op: 'replace', value: { active: false } });

async function newUser(userName: string, more: object = {}): Promise<string> {
  const { status, data } = await fixture.directory.send('POST', '/Users', user(userName, more));
  expect(status).toBe(201);
  return data.id;
}

/** Links the directory by user name, and lets the key service have what there is. */
async function linked(): Promise<void> {
  await fixture.link(fixture.directory, { attribute: 'userName', actor_prefix: 'acme:' });
  await fixture.sendPeople();
  fixture.forget();
}

/** Fills the directory without SCIM requests. */
const addUsers = (count: number, directoryId = fixture.directory.id) =>
  fixture.database.query(
    `INSERT INTO dsync.users (directory_id, id, raw, user_name, user_name_lower, display_name_lower,
        emails_lower, active)
      SELECT $1, gen_random_uuid(), jsonb_build_object('userName', 'user-' || n), 'user-' || n, 'user-' || n,
        '', '{}', n % 2 = 0
      FROM generate_series(1, $2::integer) n`,
    [directoryId, count],
  );

describe('events', () => {
  it('of PATCH, PUT, bulk and DELETE are sent in order, in one request', async () => {
    await linked();
    const ann = await newUser('Ann');
    const { send } = fixture.directory;
    await send('PATCH', `/Users/${ann}`, deactivation);
    await send('PUT', `/Users/${ann}`, user('Ann', { active: true }));
    const Operations = [
      { method: 'PATCH', path: `/Users/${ann}`, data: deactivation },
      { method: 'POST', path: '/Users', bulkId: 'b', data: user('bob') },
    ];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    expect((await send('POST', '/Bulk', { schemas, Operations })).status).toBe(200);
    await send('DELETE', `/Users/${ann}`);
    expect(await fixture.runLane()).toEqual({ reason: 'idle' });
    expect(fixture.peopleOf()).toEqual([
      'active acme:Ann acme:ann',
      'inactive acme:Ann acme:ann',
      'active acme:Ann acme:ann',
      'inactive acme:Ann acme:ann',
      'active acme:bob',
      'deleted acme:Ann acme:ann',
    ]);
    const [request, ...more] = fixture.requestsOf();
    expect(more).toEqual([]);
    const { id: source_id, tenant, product } = fixture.directory;
    expect(request).toMatchObject({
      source_id,
      tenant,
      product,
      snapshot: null,
      link: { attribute: 'userName', actor_prefix: 'acme:', on_deactivate: 'off' },
    });
    expect(request!.people[0]).toMatchObject({ user_id: ann });
    const numbers = request!.people.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    await fixture.runLane();
    expect(fixture.requestsOf()).toHaveLength(1);
  });

  it('are sent again until they are answered, soon and without end', async () => {
    await linked();
    await newUser('ann');
    fixture.answer = () => Promise.reject(new Error('no reply'));
    const past = `UPDATE dsync.endpoints SET next_attempt_at = '-infinity' WHERE source_id = $1`;
    for (let failures = 1; failures <= 20; failures++) {
      const run = await fixture.runLane();
      const waitMs = run.reason === 'waiting' ? run.retryAt.getTime() - Date.now() : NaN;
      expect(waitMs).toBeLessThan(failures === 1 ? 300 : 5_600);
      await fixture.database.query(past, [fixture.directory.id]);
    }
    fixture.answer = () => ({ is_done: true });
    expect(await fixture.runLane()).toEqual({ reason: 'idle' });
    expect(fixture.peopleOf()).toEqual(Array(21).fill('active acme:ann'));
    const attempts = 'SELECT FROM dsync.delivery_attempts WHERE source_id = $1';
    expect(await fixture.database.query(attempts, [fixture.directory.id])).toEqual([]);
    const notices = `SELECT FROM dsync.events WHERE data ->> 'source_id' = $1`;
    expect(await fixture.database.query(notices, [fixture.directory.id])).toEqual([]);
  });

  it('are sent again in the same turn while a part is left to do', async () => {
    await linked();
    await newUser('ann');
    let left = 3;
    fixture.answer = () => ({ is_done: --left === 0 });
    expect(await fixture.runLane()).toEqual({ reason: 'idle' });
    expect(fixture.peopleOf()).toEqual(Array(3).fill('active acme:ann'));
  });

  it('before the link, or after its deletion, are not sent', async () => {
    await newUser('early');
    await linked();
    expect(await fixture.runLane()).toEqual({ reason: 'idle' });
    await newUser('late');
    const { tenant, product } = fixture.directory;
    await fixture.test.sync.keyLinks.delete({ tenant, product });
    await fixture.runLane();
    expect(fixture.peopleOf()).toEqual([]);
  });
});

describe('all people', () => {
  it('are sent in pages when the link is made, ending with a complete page', async () => {
    await addUsers(1_001);
    const seen = await newUser('last');
    await fixture.link();
    await fixture.sendPeople();
    const requests = fixture.requestsOf();
    expect(requests.map(({ people }) => people.length)).toEqual([500, 500, 2, 0]);
    expect(requests.map(({ snapshot }) => snapshot?.is_complete)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const number = requests[0]!.snapshot!.as_of;
    expect(new Set(requests.map(({ snapshot }) => snapshot?.as_of))).toEqual(new Set([number]));
    const people = requests.flatMap((request) => request.people);
    expect(new Set(people.map(({ user_id }) => user_id)).size).toBe(1_002);
    expect(people.filter(({ state }) => state === 'inactive')).toHaveLength(501);
    expect(people.every(({ sequence }) => sequence === number)).toBe(true);
    expect(people.find(({ user_id }) => user_id === seen)).toMatchObject({ actor_ids: [seen] });
    const [event] = await fixture.test.eventsOf(fixture.directory);
    expect(Number(number)).toBeGreaterThan(event!.sequence);
    await fixture.sendPeople();
    expect(fixture.requestsOf()).toHaveLength(4);
  });

  it('are read when each change before their number is committed', async () => {
    await linked();
    const ann = await newUser('ann');
    await fixture.link(fixture.directory, { attribute: 'userName', actor_prefix: 'acme:' });
    fixture.forget();
    const client = fixture.test.dataSource.createQueryRunner();
    await client.startTransaction();
    await client.query(
      `WITH announced AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(
          dsync.announcement_class($1::uuid), pg_sequence_last_value('dsync.event_sequence')::bit(32)::integer)::text)
        INSERT INTO dsync.events (source_id, type, data)
        SELECT $1, 'user.updated', '{}' FROM announced`,
      [fixture.directory.id],
    );
    await client.query('UPDATE dsync.users SET active = false WHERE id = $1', [ann]);
    const looks = jest.spyOn(KeyFeedRepository.prototype, 'isSettled');
    const sent = fixture.sendPeople();
    await eventually(() => expect(looks.mock.calls.length).toBeGreaterThan(3));
    looks.mockRestore();
    expect(fixture.requestsOf()).toEqual([]);
    await client.commitTransaction();
    await client.release();
    await sent;
    expect(fixture.peopleOf()).toEqual(['inactive acme:ann']);
  });

  it('are sent anew after each change of the link, of a new directory and of the mapping', async () => {
    await linked();
    const title = { title: 'Countess' };
    const ann = await newUser('ann', title);
    await fixture.link(fixture.directory, { attribute: 'post', actor_prefix: 'acme:' });
    await fixture.sendPeople();
    expect(fixture.peopleOf()).toEqual(['active']);
    fixture.forget();
    const attribute_mapping = { post: 'title' };
    await fixture.test.sync.directories.update(fixture.directory.id, { attribute_mapping });
    await fixture.sendPeople();
    expect(fixture.requestsOf()[0]!.people).toMatchObject([
      { user_id: ann, actor_ids: ['acme:Countess'] },
    ]);
    const { tenant, product } = fixture.directory;
    const other = await fixture.test.newDirectory({ tenant, product });
    await fixture.sendPeople();
    expect(fixture.requestsOf(other)).toMatchObject([
      { people: [], snapshot: { is_complete: true } },
    ]);
    await other.send('POST', '/Users', user('bob'));
    await fixture.runLane(other);
    expect(fixture.peopleOf(other)).toEqual(['active']);
  });

  it('are sent after an import and after its activation, and an import does not conflict with it', async () => {
    const { run, imports } = importing(fixture);
    const source = new ScriptedSource({ webhookUrl: '' });
    const { tenant, product } = source.directory;
    const ann = source.user('ann');
    await run(source);
    await fixture.test.sync.keyLinks.put({ tenant, product, attribute: 'id' });
    const directory = { id: source.directory.id } as typeof fixture.directory;
    await fixture.sendPeople();
    expect(fixture.peopleOf(directory)).toEqual([`active ${ann}`]);
    fixture.forget();
    source.user('ann', { active: false }, ann);
    Object.assign(source.directory, { name: 'Another name' });
    expect((await run(source)).conflicts).toEqual([]);
    await fixture.sendPeople();
    expect(fixture.peopleOf(directory)).toEqual([`inactive ${ann}`]);
    fixture.forget();
    await imports().activate([source.directory.id]);
    await fixture.sendPeople();
    expect(fixture.peopleOf(directory)).toEqual([`inactive ${ann}`]);
  });

  it.each(['directory', 'link'])('are forgotten, once, after the %s is deleted', async (what) => {
    await newUser('ann');
    await linked();
    const { id, tenant, product } = fixture.directory;
    const { directories, keyLinks } = fixture.test.sync;
    await (what === 'link' ? keyLinks.delete({ tenant, product }) : directories.delete(id));
    await fixture.sendPeople();
    await fixture.sendPeople();
    const snapshot = { as_of: expect.stringMatching(/^\d+$/), is_complete: true };
    expect(fixture.requestsOf()).toEqual([
      { source_id: id, tenant, product, link: null, people: [], snapshot },
    ]);
    const rows = 'SELECT FROM dsync.key_feeds WHERE directory_id = $1';
    expect(await fixture.database.query(rows, [id])).toEqual([]);
  });

  it('are followed again by a new worker after one of an earlier version has paused their lane', async () => {
    await linked();
    const ofLane = `id = '${KEY_SERVICE_ENDPOINT}' AND source_id = $1`;
    await fixture.database.query(
      `UPDATE dsync.endpoints SET state = 'paused', next_attempt_at = 'infinity' WHERE ${ofLane}`,
      [fixture.directory.id],
    );
    await fixture.sendPeople(fixture.newDelivery());
    const state = `SELECT state FROM dsync.endpoints WHERE ${ofLane}`;
    expect(await fixture.database.query(state, [fixture.directory.id])).toEqual([
      { state: 'healthy' },
    ]);
  });

  it('are sent by one of several workers, and from the beginning after a change meanwhile', async () => {
    await addUsers(600);
    await fixture.link();
    let requests = 0;
    fixture.answer = async () => {
      requests += 1;
      if (requests === 1) await fixture.link(fixture.directory, { on_delete: 'revoke' });
      return { is_done: true };
    };
    const workers = [fixture.newDelivery(), fixture.newDelivery()];
    await Promise.all(workers.map((worker) => fixture.sendPeople(worker)));
    await fixture.sendPeople();
    const sent = fixture.requestsOf().map(({ people, link }) => [people.length, link?.on_delete]);
    expect(sent).toEqual([
      [500, 'off'],
      [500, 'revoke'],
      [100, 'revoke'],
      [0, 'revoke'],
    ]);
  });

  it('are sent by another worker when one has died, and again after a failure', async () => {
    await newUser('ann');
    await fixture.link();
    fixture.answer = () => Promise.reject(new Error('no reply'));
    await fixture.sendPeople();
    fixture.answer = () => ({ is_done: true });
    await fixture.sendPeople();
    expect(fixture.requestsOf()).toHaveLength(1);
    // As a worker leaves it that has died.
    await fixture.database.query(
      `UPDATE dsync.key_feeds SET leased_by = $2, leased_until = now() - interval '1 second'
        WHERE directory_id = $1`,
      [fixture.directory.id, randomUUID()],
    );
    await fixture.sendPeople();
    expect(fixture.requestsOf().map(({ snapshot }) => snapshot?.is_complete)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('of large directories do not hold up those of small ones', async () => {
    const large = await Promise.all(
      Array.from({ length: 5 }, () =>
        fixture.test.newDirectory({ tenant: fixture.directory.tenant }),
      ),
    );
    const ids = large.map(({ id }) => id);
    await fixture.database.query(
      'UPDATE dsync.directories SET reserved_users = 10000 WHERE id = ANY ($1)',
      [ids],
    );
    const under: string[] = [];
    let endLarge: (value: unknown) => void = () => undefined;
    const isOver = new Promise((resolve) => (endLarge = resolve));
    fixture.answer = async ({ source_id }) => {
      under.push(source_id);
      if (ids.includes(source_id)) await isOver;
      return { is_done: true };
    };
    await fixture.link();
    await fixture.database.query(
      'UPDATE dsync.key_feeds SET sent = wanted WHERE directory_id = $1',
      [fixture.directory.id],
    );
    const worker = fixture.newDelivery();
    const { signal } = new AbortController();
    worker.sendPeople(signal);
    await eventually(() => expect(under.filter((id) => ids.includes(id))).toHaveLength(2));
    await fixture.link();
    await eventually(() => {
      worker.sendPeople(signal);
      expect(under).toContain(fixture.directory.id);
    });
    expect(under.filter((id) => ids.includes(id))).toHaveLength(2);
    endLarge(undefined);
    await eventually(() => {
      worker.sendPeople(signal);
      expect(new Set(under).size).toBe(6);
    });
    await worker.peopleSent();
  });
});
