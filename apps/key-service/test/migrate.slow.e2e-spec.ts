import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';

/** All migrations but the first. */
const LATER = [
  'ClaimLanes1796000000002',
  'AddPeople1796100000001',
  'FindKeys1796300000001',
  'CreateRefusals1796300000002',
  'AddTrustRules1796400000001',
  'SearchKeys1796500000001',
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function migrate(databaseUrl: string, ...args: string[]) {
  const program = join('dist', 'bundles', 'key-service', 'migrate.js');
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

describe('migrate.js', () => {
  it('names what it applied and reverted, and says when there is nothing to do', () => {
    const applied = 'key-service: applied CreateKeys1795600000001';
    expect(migrate(database.url)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(applied),
    });
    expect(migrate(database.url, 'up').stdout).toBe('key-service: nothing to do\n');
    const reverted = 'key-service: reverted .*CreateKeys1795600000001';
    expect(migrate(database.url, 'down')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('down deletes all tables and data of key-service'),
    });
    expect(migrate(database.url, 'up').stdout).toBe('key-service: nothing to do\n');
    expect(migrate(database.url, 'down', '--yes').stdout).toMatch(new RegExp(reverted));
    expect(migrate(database.url, 'down', '--yes').stdout).toBe('key-service: nothing to do\n');
  });

  it('reverts to a migration that it names, and asks first', () => {
    migrate(database.url);
    const to = ['down', '--to', 'CreateKeys1795600000001'];
    expect(migrate(database.url, ...to)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        'down deletes what was stored by migrations after CreateKeys',
      ),
    });
    expect(migrate(database.url, ...to, '--yes').stdout).toBe(
      `key-service: reverted ${LATER.toReversed().join(', ')}\n`,
    );
    expect(migrate(database.url, ...to, '--yes').stdout).toBe('key-service: nothing to do\n');
    expect(migrate(database.url).stdout).toBe(`key-service: applied ${LATER.join(', ')}\n`);
    expect(migrate(database.url, 'down', '--to', 'Keys', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Keys is not applied; applied are CreateKeys1795600000001'),
    });
  });

  it('exits with 1 when the database is unreachable, and never prints the password', () => {
    const { status, stderr } = migrate('postgres://me:hunter2@127.0.0.1:1/keys');
    expect(status).toBe(1);
    expect(stderr).toContain('cannot migrate the database at 127.0.0.1:1/keys: connect ECONN');
    expect(stderr).not.toContain('hunter2');
  });

  it('exits with 78 when DATABASE_URL is missing or not an address of PostgreSQL', () => {
    for (const url of ['', 'mysql://me:hunter2@127.0.0.1/keys']) {
      const { status, stderr } = migrate(url);
      expect(status).toBe(78);
      expect(stderr).toContain('DATABASE_URL: must be a postgres:// address');
    }
  });

  it('exits with 2 and the usage when it does not understand its arguments', () => {
    const to = ['--to', 'CreateKeys1795600000001'];
    for (const args of [['sideways'], ['up', '--yes'], ['up', ...to], ['down', 'up'], ['--to']]) {
      expect(migrate(database.url, ...args)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('Usage: migrate.js [up | down [--to MIGRATION] --yes]'),
      });
    }
  });
});
