import { orClose } from '@gatehouse/testing';
import { type FaultStack, UNRECORDED_MAX } from './fault-stack.js';

const DIRECTORIES = 4;

/**
 * Two workers, and identity providers that send changes until the work is over. The comparison must
 * find no fault afterwards.
 *
 * @param work gets a function that counts the changes accepted so far
 */
export async function underLoad(
  { newDirectories, worker, receiver, verify }: FaultStack,
  work: (accepted: () => number) => Promise<void>,
): Promise<void> {
  const directories = await newDirectories(DIRECTORIES);
  const workers = [await worker(), await worker()];
  let isOver = false;
  const load = Promise.all(directories.map((each) => each.provision(Infinity, () => isOver)));
  const end = () => {
    isOver = true;
    return load;
  };
  await orClose(end, async () => {
    await receiver.waitFor(50, 30_000);
    await work(() => directories.flatMap(({ changes }) => changes).length);
  });
  await end();
  await verify(directories, { repeatsMax: DIRECTORIES * UNRECORDED_MAX });
  for (const each of workers) expect(await each.stop()).toBe(0);
}
