/** Requests while a process shuts down, as in every rolling restart. */
import { Agent, request } from 'node:http';
import { eventually, stopInFlight } from '@gatehouse/testing';
import { ADMIN_KEY, type KeyServiceStack, type Replica, startKeyService } from './key-stack.js';

const CONNECTIONS = 24;

let service: KeyServiceStack;
beforeEach(async () => {
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY });
});
afterEach(() => service.close());

const authorization = `Bearer ${ADMIN_KEY}`;
const issue = (index = 0) =>
  service.admin(
    'POST',
    '/issuedApiKeys',
    { name: `key ${index}`, actor_id: 'a' },
    { headers: { authorization } },
  );

it('answers every request in flight before it ends', async () => {
  await issue();
  const { url: databaseUrl } = service.database;
  const held = { databaseUrl, table: 'keys.api_keys', send: issue };
  const { outcomes, exitCode } = await stopInFlight(service.replicas[0] as Replica, held);
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 201));
  expect(exitCode).toBe(0);
});

/** A client behind a load balancer: one connection to each replica, kept while it can be. */
function balancedClient(isReady: (url: string) => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const outcomes: unknown[] = [];
  let turn = 0;
  const send = (url: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify({ name: 'x', actor_id: 'a' });
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = request(
        `${url}/v2alpha1/admin/issuedApiKeys`,
        { method: 'POST', agent, headers },
        (response) => response.resume().once('end', () => resolve(response.statusCode)),
      );
      sent.once('error', reject);
      sent.end(body);
    });
  const run = async (urls: readonly string[], isOver: () => boolean) => {
    while (!isOver()) {
      const ready = urls.filter(isReady);
      const url = ready[(turn += 1) % ready.length] as string;
      outcomes.push(await send(url).catch((error: NodeJS.ErrnoException) => error.code));
    }
    agent.destroy();
  };
  return { outcomes, run };
}

it('loses no request of a load balancer that follows its readiness', async () => {
  const leaving = await service.start({ DRAIN_TIME: '2' });
  const urls = [leaving.url, (service.replicas[0] as Replica).url];
  let isOver = false;
  let isLeaving = false;
  const clients = Array.from({ length: CONNECTIONS }, () =>
    balancedClient((url) => url !== leaving.url || !isLeaving),
  );
  const running = clients.map(({ run }) => run(urls, () => isOver));
  const answered = () => clients.flatMap(({ outcomes }) => outcomes);
  await eventually(() => expect(answered().length).toBeGreaterThan(200));
  const stopped = leaving.stop();
  await eventually(async () => {
    const { status } = await fetch(`${leaving.url}/health/ready`);
    expect(status).toBe(503);
  });
  isLeaving = true;
  expect(await stopped).toBe(0);
  const before = answered().length;
  await eventually(() => expect(answered().length).toBeGreaterThan(before + 200));
  isOver = true;
  await Promise.all(running);
  expect(answered().filter((outcome) => outcome !== 201)).toEqual([]);
}, 60_000);
