/** Services and their database belong to one cell. */
import { type TestStack } from '@gatehouse/testing';
import { openSyncStack } from './sync-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openSyncStack();
});
afterAll(() => stack.close());

it.each(['dsync-api', 'dsync-worker'] as const)(
  '%s does not start on the database of another cell',
  async (app) => {
    await expect(stack.start(app, { CELL: '7' })).rejects.toThrow(
      'CELL is 7, but the database was created as cell 0',
    );
  },
);
