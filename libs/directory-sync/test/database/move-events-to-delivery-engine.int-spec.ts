import { user } from '../harness.js';
import { useFixture } from '../fixture.js';
import { ReadEventsInOrder1765300003001 } from '../../src/migrations/1765300003001-read-events-in-order.migration.js';
import { MoveEventsToDeliveryEngine1763700000002 } from '../../src/migrations/1763700000002-move-events-to-delivery-engine.migration.js';

const fixture = useFixture();

/** The functions of the later one depend on the tables of the first. */
const MIGRATIONS = [
  new MoveEventsToDeliveryEngine1763700000002(),
  new ReadEventsInOrder1765300003001(),
];

async function run(step: 'up' | 'down'): Promise<void> {
  const runner = fixture.test.dataSource.createQueryRunner();
  await runner.startTransaction();
  for (const migration of step === 'up' ? MIGRATIONS : MIGRATIONS.toReversed()) {
    await migration[step](runner);
  }
  await runner.commitTransaction();
  await runner.release();
}

it('keeps directories, users and their events when run down and up', async () => {
  const { directory, test } = fixture;
  const receiver = { webhook_url: 'https://example.com/hook', log_webhook_events: true };
  await test.sync.directories.update(directory.id, receiver);
  await directory.send('POST', '/Users', user('ada@example.com'));
  const shown = await test.sync.directories.get(directory.id);
  const before = await test.eventsOf(directory);

  await run('down');
  await run('up');

  expect(await test.eventsOf(directory)).toEqual(before);
  expect(before).toMatchObject([{ state: 'pending' }]);
  expect(await test.sync.directories.get(directory.id)).toEqual(shown);
  expect((await directory.send('POST', '/Users', user('ada@example.com'))).status).toBe(409);
  expect((await directory.send('POST', '/Users', user('grace@example.com'))).status).toBe(201);
  expect(await test.eventsOf(directory)).toHaveLength(2);
});
