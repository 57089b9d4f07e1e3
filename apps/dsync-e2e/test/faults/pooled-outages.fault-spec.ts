/** PostgreSQL fails behind PgBouncer, which stays, under load on every service. */
import { type OutageRun, openOutageRun } from './outage-run.js';

/** Until PgBouncer refuses what waits for a server (`query_wait_timeout`), and a margin. */
const REFUSED_MS_MAX = 13_000;
const TEST_LIMIT_MS = 180_000;

let run: OutageRun;
beforeAll(async () => {
  run = await openOutageRun(true);
});
afterAll(() => run.close());

it(
  'verifies from memory and decodes while PostgreSQL is away, and refuses the rest',
  () =>
    run.expectOutage(
      () => run.all.postgres.crash(),
      () => run.all.postgres.restart(),
      {
        refused: {
          issue: REFUSED_MS_MAX,
          'read users': REFUSED_MS_MAX,
          'write users': REFUSED_MS_MAX,
        },
      },
    ),
  TEST_LIMIT_MS,
);

it('has lost and doubled nothing', () => run.verify());
