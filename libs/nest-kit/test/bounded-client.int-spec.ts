import { type DataSource } from 'typeorm';
import { openBoundedDatabase } from './bounded-database.js';

let bounded: Awaited<ReturnType<typeof openBoundedDatabase>>;
let dataSource: DataSource;

beforeAll(async () => {
  bounded = await openBoundedDatabase(1, { answerTimeoutMs: 200 });
  ({ dataSource } = bounded);
});
afterAll(() => bounded.close());

const TOO_LONG = 'SELECT pg_sleep(10)';

describe('a connection on which no answer comes', () => {
  it('is closed, and the only place in the pool is free for the next statement', async () => {
    for (const statement of ['SELECT 1', TOO_LONG, 'SELECT 1', TOO_LONG, 'SELECT 1']) {
      const query = dataSource.query(statement);
      if (statement === TOO_LONG) await expect(query).rejects.toThrow('did not answer in time');
      else await expect(query).resolves.toHaveLength(1);
    }
  });

  it('is closed in the middle of a transaction as well', async () => {
    const failing = dataSource.transaction((manager) => manager.query(TOO_LONG));
    await expect(failing).rejects.toThrow('did not answer in time');
    await expect(dataSource.query('SELECT 1')).resolves.toHaveLength(1);
  });
});
