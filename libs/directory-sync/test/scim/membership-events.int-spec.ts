import pg from 'pg';
import { newGroup, newUsers } from '../groups.js';
import { group, type Json, patch } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

/** Whether a statement waits for a lock in the database of the fixture. */
async function isStatementWaiting(): Promise<boolean> {
  const waiting = await fixture.database.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

// A receiver that stores the user of each event must never see it return to an earlier state.
describe('the event of a membership shows the user as of the event before', () => {
  it.each<[string, (ids: { ann: string; bob: string; devs: string }) => [string, object]]>([
    [
      'when one user is added',
      ({ ann }) => ['PATCH', patch({ op: 'add', path: 'members', value: [{ value: ann }] })],
    ],
    ['when all members are given', ({ ann, bob }) => ['PUT', group('devs', [ann, bob])]],
    ['when all others are taken away', ({ ann }) => ['PUT', group('devs', [ann])]],
    [
      'when one is removed',
      ({ bob }) => ['PATCH', patch({ op: 'remove', path: `members[value eq "${bob}"]` })],
    ],
  ])('%s while it is deactivated', async (_case, changeOf) => {
    const directory = await fixture.test.newDirectory();
    const [ann = '', bob = ''] = await newUsers(directory, 'ann', 'bob');
    const devs = await newGroup(directory, 'devs', [bob]);
    const writer = new pg.Client({ connectionString: fixture.database.url });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('UPDATE dsync.users SET active = false WHERE directory_id = $1', [
      directory.id,
    ]);

    let isAnswered = false;
    const [method, body] = changeOf({ ann, bob, devs });
    const answering = directory.send(method, `/Groups/${devs}`, body).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered && !(await isStatementWaiting())) continue;
    await writer.query('COMMIT');
    await writer.end();

    expect((await answering).status).toBe(200);
    const { data }: Json = (await fixture.test.eventsOf(directory)).at(-1);
    expect([data.group.name, data.active]).toEqual(['devs', false]);
  });
});
