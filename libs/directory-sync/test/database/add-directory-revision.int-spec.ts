import { user } from '../harness.js';
import { useFixture } from '../fixture.js';
import { LetWritersMeetNowhere1763640000003 } from '../../src/migrations/1763640000003-add-directory-revision.migration.js';

const fixture = useFixture();

async function run(step: 'up' | 'down'): Promise<void> {
  const runner = fixture.test.dataSource.createQueryRunner();
  await runner.startTransaction();
  await new LetWritersMeetNowhere1763640000003()[step](runner);
  await runner.commitTransaction();
  await runner.release();
}

it('keeps directories, users and their events when run down and up', async () => {
  const { directory, test } = fixture;
  await directory.send('POST', '/Users', user('ada@example.com'));
  const before = await test.eventsOf(directory);

  await run('down');
  await run('up');

  expect(await test.eventsOf(directory)).toEqual(before);
  expect((await directory.send('POST', '/Users', user('ada@example.com'))).status).toBe(409);
  expect((await directory.send('POST', '/Users', user('grace@example.com'))).status).toBe(201);
  expect(await test.eventsOf(directory)).toHaveLength(2);
});
