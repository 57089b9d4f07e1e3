// The query of the autoscaler of the worker counts the lanes that workers could deliver now.
import { readFileSync } from 'node:fs';
import { eventually, startWebhookReceiver, type TestStack } from '@gatehouse/testing';
import { parseAllDocuments } from 'yaml';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

const SCALED_OBJECT = 'deploy/kubernetes/components/keda/scaled-object.yaml';

let stack: TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack({ settings: { DSYNC_SWEEP_INTERVAL: '1' } });
  api = await stack.start('dsync-api');
});
afterAll(() => stack.close());

/** As the scaler of KEDA asks: one row with one number. */
async function dueLanes(): Promise<number> {
  const [scaled] = parseAllDocuments(readFileSync(SCALED_OBJECT, 'utf8'));
  const { triggers } = (scaled?.toJS() as { spec: { triggers: { metadata: { query: string } }[] } })
    .spec;
  const [row] = await stack.database.query<{ count: string }>(triggers[0]?.metadata.query ?? '');
  return Number(row?.count);
}

it('counts lanes under way, and none that pauses after a failure, is paused or has delivered all', async () => {
  const receiver = await startWebhookReceiver();
  const hanging: (() => void)[] = [];
  receiver.respond(({ path }) => {
    if (path === '/down') return { status: 500 };
    return path === '/slow'
      ? { answerBy: (response) => hanging.push(() => response.end()) }
      : { status: 200 };
  });
  const directoryAt = (path: string) => newDirectory(api, { webhook_url: receiver.url + path });
  const paths = ['/slow', '/slow', '/down', '/ok'];
  const directories = await Promise.all(paths.map(directoryAt));
  const paused = await directoryAt('/paused');
  await manage(api, 'POST', `/${paused.id}/webhook-endpoints/${paused.id}/pause`);
  for (const directory of [...directories, paused]) {
    expect((await directory.scim('POST', '/Users', user('ann'))).status).toBe(201);
  }
  const worker = await stack.start('dsync-worker');
  await eventually(async () => {
    expect(hanging).toHaveLength(2);
    expect(await dueLanes()).toBe(2);
  });
  for (const end of hanging) end();
  await eventually(async () => expect(await dueLanes()).toBe(0));
  await worker.stop();
  await receiver.close();
});
