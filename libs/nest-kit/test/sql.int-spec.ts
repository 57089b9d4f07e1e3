import { eventually, type TestDatabase } from '@gatehouse/testing';
import { retryLostRaces, type Sql, type SqlExecutor, sqlFault } from '@gatehouse/kit/sql';
import { sqlOf } from '../src/database/typeorm-sql.js';
import { openBoundedDatabase } from './bounded-database.js';

let bounded: Awaited<ReturnType<typeof openBoundedDatabase>>;
let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  bounded = await openBoundedDatabase(2);
  database = bounded.database;
  sql = sqlOf(bounded.dataSource);
  await database.query('CREATE TABLE accounts (id int PRIMARY KEY, amount int NOT NULL)');
  await database.query('CREATE TABLE owners (account int NOT NULL REFERENCES accounts (id))');
});
beforeEach(async () => {
  await database.query('TRUNCATE accounts, owners');
  await database.query('INSERT INTO accounts VALUES (1, 0), (2, 0)');
});
afterAll(() => bounded.close());

const BACKEND = { text: 'SELECT pg_backend_pid() AS pid' };
const AMOUNTS = { name: 'amounts', text: 'SELECT amount FROM accounts ORDER BY id' };
const ADD = { name: 'add', text: 'UPDATE accounts SET amount = amount + 1 WHERE id = $1' };
const ADD_OWNER = { text: 'INSERT INTO owners VALUES ($1)' };

const raise = (code: string) => ({
  text: `DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END $$`,
});

async function amounts(): Promise<number[]> {
  return (await sql.rows<{ amount: number }>(AMOUNTS)).map(({ amount }) => amount);
}

describe('rows', () => {
  it('returns typed rows, also those of RETURNING', async () => {
    const statement = { text: 'UPDATE accounts SET amount = $1 WHERE id = 2 RETURNING id, amount' };
    await expect(sql.rows(statement, [7])).resolves.toEqual([{ id: 2, amount: 7 }]);
  });

  it('prepares a named statement once for each connection, and no other statement', async () => {
    const prepared = await sql.transaction(async (executor) => {
      await executor.rows(AMOUNTS);
      await executor.rows(AMOUNTS);
      await executor.rows({ text: 'SELECT 1' });
      return executor.rows({ text: 'SELECT name FROM pg_prepared_statements' });
    });
    expect(prepared).toEqual([{ name: 'amounts' }]);
  });

  it('rejects with the SQLSTATE and the constraint of the fault', async () => {
    const error: unknown = await sql.rows(ADD_OWNER, [9]).catch((fault: unknown) => fault);
    expect(sqlFault(error)).toEqual({ code: '23503', constraint: 'owners_account_fkey' });
  });

  it('closes the connection of a statement that exceeds its own timeout', async () => {
    const statement = { text: 'SELECT pg_sleep(10)', answerTimeoutMs: 100 };
    await expect(sql.rows(statement)).rejects.toThrow('did not answer in time');
    await expect(amounts()).resolves.toEqual([0, 0]);
  });
});

describe('transaction', () => {
  it('commits when the work resolves, and resolves with its result', async () => {
    await expect(sql.transaction((executor) => executor.rows(ADD, [1]))).resolves.toEqual([]);
    await expect(amounts()).resolves.toEqual([1, 0]);
  });

  it('runs all of its statements on one connection', async () => {
    const [first, second] = await sql.transaction(async (executor) => [
      await executor.rows(BACKEND),
      await executor.rows(BACKEND),
    ]);
    expect(first).toEqual(second);
  });

  it('rolls back when the work throws, and rejects with what it threw', async () => {
    const failing = sql.transaction(async (executor) => {
      await executor.rows(ADD, [1]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await expect(amounts()).resolves.toEqual([0, 0]);
  });

  it('is READ COMMITTED and ended by the server after 10 idle seconds', async () => {
    const settings = await sql.transaction((executor) =>
      executor.rows({
        text: `SELECT current_setting('transaction_isolation') AS isolation,
                      current_setting('idle_in_transaction_session_timeout') AS idle`,
      }),
    );
    expect(settings).toEqual([{ isolation: 'read committed', idle: '10s' }]);
  });

  it('repeats a transaction that PostgreSQL ended to break a deadlock', async () => {
    let arrived = 0;
    let release: () => void = () => undefined;
    const bothHoldALock = new Promise<void>((resolve) => {
      release = resolve;
    });
    const addToBoth = (first: number, second: number) => async (executor: SqlExecutor) => {
      await executor.rows(ADD, [first]);
      arrived += 1;
      if (arrived === 2) release();
      await bothHoldALock;
      await executor.rows(ADD, [second]);
    };
    await Promise.all([sql.transaction(addToBoth(1, 2)), sql.transaction(addToBoth(2, 1))]);
    await expect(amounts()).resolves.toEqual([2, 2]);
    // Once more if the repeated one gets its first lock before the other one wakes.
    expect(arrived).toBeGreaterThan(2);
  });

  it.each([
    { code: '40001', retry: undefined, tries: 6 },
    { code: '40P01', retry: undefined, tries: 6 },
    { code: '40001', retry: 'never', tries: 1 },
    { code: '23503', retry: undefined, tries: 1 },
    { code: '23503', retry: 'races-and-references', tries: 6 },
    { code: '23505', retry: 'races-and-references', tries: 1 },
  ] as const)('gives up on $code after $tries tries with retry $retry', async (example) => {
    let tries = 0;
    const failing = sql.transaction(
      (executor) => {
        tries += 1;
        return executor.rows(raise(example.code));
      },
      { retry: example.retry },
    );
    await expect(failing).rejects.toMatchObject({ code: example.code });
    expect(tries).toBe(example.tries);
  });

  it('does not return a broken connection to the pool', async () => {
    let pid = 0;
    const failing = sql.transaction(async (executor) => {
      const [backend] = await executor.rows<{ pid: number }>(BACKEND);
      pid = backend?.pid ?? 0;
      await database.query('SELECT pg_terminate_backend($1)', [pid]);
      await executor.rows(AMOUNTS);
    });
    await expect(failing).rejects.toThrow();
    for (let round = 0; round < 4; round++) {
      const [backend] = await sql.rows<{ pid: number }>(BACKEND);
      expect(backend?.pid).not.toBe(pid);
    }
  });

  it('frees its connection, however it ends', async () => {
    for (let round = 0; round < 4; round++) {
      await sql.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined);
      await sql.transaction((executor) => executor.rows(raise('22012'))).catch(() => undefined);
    }
    await eventually(async () => {
      await expect(amounts()).resolves.toEqual([0, 0]);
    });
  });
});

describe('retryLostRaces', () => {
  it('repeats a single statement, too', async () => {
    let tries = 0;
    const insert = () => {
      tries += 1;
      return sql.rows(tries < 3 ? raise('40001') : AMOUNTS);
    };
    await expect(retryLostRaces(insert)).resolves.toHaveLength(2);
    expect(tries).toBe(3);
  });

  it('does not repeat after an error that is not from PostgreSQL', async () => {
    let tries = 0;
    const failing = retryLostRaces(() => {
      tries += 1;
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    });
    await expect(failing).rejects.toThrow('refused');
    expect(tries).toBe(1);
  });
});

describe('sqlFault', () => {
  it.each([undefined, null, 'text', new Error('x'), { code: 'ECONNREFUSED' }, { code: 40001 }])(
    'is empty for %p',
    (fault) => {
      expect(sqlFault(fault)).toEqual({});
    },
  );
});
