/** The process with all services, on PostgreSQL alone, is killed again and again under load. */
import { eventually, freePort, orClose } from '@gatehouse/testing';
import { openFaultStack, UNRECORDED_MAX } from './fault-stack.js';

const KILLS = 20;
const DIRECTORIES = 3;
/** Accepted before each of them, and arrived before every other. */
const CHANGES = 30;

it(`loses no event and keeps their order when the process is killed ${KILLS} times`, async () => {
  const faults = await openFaultStack(
    {
      // There is a description of each service, and none of all.
      undescribed: /./,
      settings: {
        GATEHOUSE_SECRET: 'a-gatehouse-secret-of-the-tests-0123456789',
        REDIS_URL: '',
        PORT: String(await freePort()),
        ADMIN_PORT: String(await freePort()),
      },
    },
    'gatehouse',
  );
  await orClose(faults.close, async () => {
    const directories = await faults.newDirectories(DIRECTORIES);
    let isOver = false;
    const load = Promise.all(directories.map((each) => each.provision(Infinity, () => isOver)));
    const end = () => {
      isOver = true;
      return load;
    };
    await orClose(end, async () => {
      let running = faults.api;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const accepted = () => directories.flatMap(({ changes }) => changes).length;
        const arrived = () => faults.receiver.received.length;
        const [acceptedBefore, arrivedBefore] = [accepted(), arrived()];
        await eventually(
          () => {
            expect(accepted()).toBeGreaterThan(acceptedBefore + CHANGES);
            // Every other process is killed while it waits for the leases of the one before.
            if (kill % 2 === 0) expect(arrived()).toBeGreaterThan(arrivedBefore + CHANGES);
          },
          { timeoutMs: 60_000, progress: () => accepted() + arrived() },
        );
        await running.kill();
        running = await faults.stack.start('gatehouse');
      }
    });
    await end();
    await faults.verify(directories, { repeatsMax: KILLS * DIRECTORIES * UNRECORDED_MAX });
  });
  await faults.close();
});
