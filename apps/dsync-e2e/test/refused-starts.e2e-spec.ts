/** Services do not start on a database that they would not work with. */
import { type TestStack } from '@gatehouse/testing';
import { openSyncStack } from './sync-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openSyncStack();
});
afterAll(() => stack.close());

describe.each(['dsync-api', 'dsync-worker'] as const)('%s does not start', (app) => {
  it('on the database of another cell', async () => {
    await expect(stack.start(app, { CELL: '7' })).rejects.toThrow(
      'CELL is 7, but the database was created as cell 0',
    );
  });

  it('on tables that only newer versions work with', async () => {
    await stack.database.query(
      `INSERT INTO dsync.migration_versions VALUES ('DropNames1', '999.2.0', '999.1.0')
        ON CONFLICT DO NOTHING`,
    );
    await expect(stack.start(app)).rejects.toThrow(
      '999.2.0 has applied DropNames1 to dsync, which needs 999.1.0 or newer',
    );
  });
});
