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

/** Two replicas on one database: what one remembers, the other changes. */
export interface Replicas {
  database: TestDatabase;
  answering: TestSync;
  changing: TestSync;
}

/** Registers two controller objects on one database for the tests of the file that calls it. */
export function useReplicas(): Replicas {
  const replicas = {} as Replicas;
  beforeAll(async () => {
    replicas.database = await createTestDatabase();
    replicas.answering = await openSync(replicas.database.url);
    replicas.changing = await openSync(replicas.database.url);
  });
  afterAll(async () => {
    await replicas.answering.close();
    await replicas.changing.close();
    await replicas.database.drop();
  });
  return replicas;
}
