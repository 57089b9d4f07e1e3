/** No change of a person is lost on the way to the key service, whichever process is away. */
import { eventually } from '@gatehouse/testing';
import { type PeopleReceiver, receivePeople } from '../people-receiver.js';
import { manage, newDirectory, type TestDirectory, user } from '../sync-stack.js';
import { type FaultStack, openFaultStack } from './fault-stack.js';

const DIRECTORIES = 5;
const USERS_EACH = 60;

let faults: FaultStack;
let keys: PeopleReceiver;
let directories: TestDirectory[];
beforeAll(async () => {
  faults = await openFaultStack();
});
beforeEach(async () => {
  keys = receivePeople(faults.stack);
  const tenant = `tenant-${Math.random().toString(36).slice(2)}`;
  const link = { tenant, product: 'product', attribute: 'userName', actor_prefix: `${tenant}:` };
  expect((await manage(faults.api, 'PUT', '/key-links', link)).status).toBe(200);
  directories = await Promise.all(
    Array.from({ length: DIRECTORIES }, () => newDirectory(faults.api, { tenant })),
  );
});
afterEach(() => keys.close());
afterAll(() => faults.close());

/** Each user comes, and leaves. @returns the user ids of each directory, in their order */
const comeAndLeave = () =>
  Promise.all(
    directories.map(async (directory) => {
      const ids: string[] = [];
      for (let n = 0; n < USERS_EACH; n++) {
        const { body } = await directory.scim('POST', '/Users', user(`user-${n}`));
        await directory.scim('PUT', `/Users/${body.id}`, user(`user-${n}`, { active: false }));
        ids.push(body.id);
      }
      return ids;
    }),
  );

/** All changes arrive, and without repeats they are in order. */
async function expectAll(users: readonly string[][]): Promise<void> {
  for (const [index, ids] of users.entries()) {
    const { id } = directories[index] as TestDirectory;
    const story = () => keys.changesOf(id);
    const wanted = ids.flatMap((user_id) => [`active ${user_id}`, `inactive ${user_id}`]);
    await eventually(
      () => {
        const bySequence = new Map(story().map((change) => [change.sequence, change]));
        const once = [...bySequence.values()].sort(
          (a, b) => Number(a.sequence) - Number(b.sequence),
        );
        expect(once.map(({ state, user_id }) => `${state} ${user_id}`)).toEqual(wanted);
      },
      { timeoutMs: 30_000, progress: () => story().length },
    );
  }
}

it('loses nothing when a worker is killed in the middle of its work', async () => {
  const victim = await faults.worker();
  const heir = await faults.worker();
  const users = comeAndLeave();
  await eventually(() => expect(keys.received.length).toBeGreaterThan(50));
  await victim.kill();
  await expectAll(await users);
  expect(await heir.stop()).toBe(0);
});

it('loses nothing while the key service is away or refuses', async () => {
  const worker = await faults.worker();
  let requests = 0;
  const refuseSome = () => {
    requests += 1;
    if (requests % 3 === 0) throw new Error('refused');
  };
  keys.onRequest = refuseSome;
  const users = comeAndLeave();
  await eventually(() => expect(keys.received.length).toBeGreaterThan(20));
  const before = keys;
  await before.close();
  const leavers = await users;
  keys = receivePeople(faults.stack);
  keys.received.push(...before.received);
  await expectAll(leavers);
  expect(await worker.stop()).toBe(0);
});
