import { type TestDatabase } from '@gatehouse/testing';
import { createSyncDatabase, openSync, type TestDirectory, type TestSync } from './harness.js';

/** The resources that the tests of one file share. */
export interface Fixture {
  database: TestDatabase;
  test: TestSync;
  /** New for each test. */
  directory: TestDirectory;
}

/** Sets up a database with a controller object for the tests of the calling file. */
export function useFixture(): Fixture {
  const fixture = {} as Fixture;
  beforeAll(async () => {
    fixture.database = await createSyncDatabase();
    fixture.test = await openSync(fixture.database.url);
  });
  beforeEach(async () => {
    fixture.directory = await fixture.test.newDirectory();
  });
  afterAll(async () => {
    await fixture.test.close();
    await fixture.database.drop();
  });
  return fixture;
}

/** Two replicas on one database: one has cached what the other changes. */
export interface Replicas {
  database: TestDatabase;
  answering: TestSync;
  changing: TestSync;
}

/** Sets up two controller objects on one database for the tests of the calling file. */
export function useReplicas(): Replicas {
  const replicas = {} as Replicas;
  beforeAll(async () => {
    replicas.database = await createSyncDatabase();
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
