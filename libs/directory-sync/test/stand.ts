import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { openSync, type TestDirectory, type TestSync } from './harness.js';

/** What the tests of one file run on. */
export interface Stand {
  database: TestDatabase;
  test: TestSync;
  /** A new one for each test. */
  directory: TestDirectory;
}

/** Registers a database with a controller object for the tests of the file that calls it. */
export function useStand(): Stand {
  const stand = {} as Stand;
  beforeAll(async () => {
    stand.database = await createTestDatabase();
    stand.test = await openSync(stand.database.url);
  });
  beforeEach(async () => {
    stand.directory = await stand.test.newDirectory();
  });
  afterAll(async () => {
    await stand.test.close();
    await stand.database.drop();
  });
  return stand;
}
