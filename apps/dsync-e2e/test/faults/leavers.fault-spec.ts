/** People leave while processes and Redis are killed: in the end, a program compares each key with its person. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  eventually,
  freePort,
  type HttpClient,
  openTestStack,
  runMigrations,
  type TestStack,
} from '@gatehouse/testing';
import {
  API_KEY,
  manage,
  newDirectory,
  type Service,
  type TestDirectory,
  user,
} from '../sync-stack.js';
import { ADMIN_KEY, SETTINGS } from './all-services.js';
import { ownRedis, type OwnStore } from './own-stores.js';

/** Of each test: 10,000 in all. */
const PEOPLE = 2_000;
const DIRECTORIES = 4;
const CLIENTS = 16;
/** Of each test, while people leave. */
const KILLS = 6;
/** A client that is not answered leaves the processor to the process that starts. */
const RETRY_MS = 100;
const BATCH = 100;

type Change = 'deactivate' | 'reactivate' | 'delete';

/** What becomes of a person, by its number; the last change decides. */
const LIVES: readonly Change[][] = [
  ['deactivate'],
  ['deactivate', 'delete'],
  ['delete'],
  ['deactivate', 'reactivate', 'deactivate'],
  ['deactivate', 'reactivate'],
];

interface Person {
  readonly directory: TestDirectory;
  readonly id: string;
  readonly rawKey: string;
  readonly life: readonly Change[];
}

const bearer = { authorization: `Bearer ${ADMIN_KEY}` };
const patch = (active: boolean) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: active }],
});

type Name = 'api' | 'worker' | 'keys' | 'replica';

/** The processes, each of which is started again at its address when it was killed. */
async function openProcesses(stack: TestStack) {
  const settings = async () => ({ PORT: String(await freePort()) });
  const starts = {
    api: [await settings(), 'dsync-api'],
    worker: [await settings(), 'dsync-worker'],
    keys: [await settings(), 'key-service'],
    replica: [await settings(), 'key-service'],
  } as const satisfies Record<Name, unknown>;
  const running = new Map<Name, Service>();
  const start = async (name: Name) => {
    const [own, app] = starts[name];
    running.set(name, await stack.start(app, own));
  };
  for (const name of Object.keys(starts) as Name[]) await start(name);
  return {
    of: (name: Name) => running.get(name) as Service,
    killAndStart: async (name: Name) => {
      await running.get(name)?.kill();
      await start(name);
    },
  };
}

/** Sends a request until it is answered by a service that works. */
async function insist(send: () => ReturnType<HttpClient['send']>, accepted: readonly number[]) {
  for (;;) {
    const answer = await send().catch(() => undefined);
    if (answer && accepted.includes(answer.status)) return answer;
    if (answer && answer.status < 500) throw new Error(`${answer.status}: ${answer.text}`);
    await sleep(RETRY_MS);
  }
}

/** A linked directory, its people, and an imported key for each of them. */
async function populate(api: Service, keys: Service, number: number): Promise<Person[]> {
  const tenant = `tenant-${number}`;
  const directory = await newDirectory(api, { tenant });
  const link = { tenant, product: 'product', attribute: 'externalId', actor_prefix: `${tenant}:` };
  const policies = { on_deactivate: 'pause', on_delete: 'pause' };
  const linked = await manage(api, 'PUT', '/key-links', { ...link, ...policies });
  expect(linked.status).toBe(200);
  const people: Person[] = [];
  for (let first = 0; first < PEOPLE / DIRECTORIES; first += BATCH) {
    const names = Array.from({ length: BATCH }, (_, at) => `p${first + at}`);
    const bulk = await directory.scim('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: names.map((name) => ({
        method: 'POST',
        path: '/Users',
        bulkId: name,
        data: user(name, { externalId: name, active: true }),
      })),
    });
    const ids = (bulk.body.Operations as { location: string }[]).map(
      ({ location }) => location.split('/').at(-1) as string,
    );
    const requests = names.map((name) => ({
      raw_key: `raw-key-of-${tenant}-${name}`,
      name,
      actor_id: `${tenant}:${name}`,
    }));
    const imported = await keys.http.send('POST', '/v2alpha1/admin/importedApiKeys:batchCreate', {
      headers: bearer,
      json: { requests },
    });
    expect(imported.body.success_count).toBe(BATCH);
    people.push(
      ...names.map((_, at) => ({
        directory,
        id: ids[at] as string,
        rawKey: requests[at]?.raw_key as string,
        life: LIVES[(first + at) % LIVES.length] as Change[],
      })),
    );
  }
  return people;
}

async function live({ directory, id, life }: Person): Promise<void> {
  for (const change of life) {
    const path = `/Users/${id}`;
    // A repeated deletion finds nothing.
    await (change === 'delete'
      ? insist(() => directory.scim('DELETE', path), [204, 404])
      : insist(() => directory.scim('PATCH', path, patch(change === 'reactivate')), [200, 204]));
  }
}

const shouldWork = ({ life }: Person) => life.at(-1) === 'reactivate';

/** The people whose keys do not stand as they do themselves, according to one replica. */
async function differences(keys: Service, people: readonly Person[]): Promise<Person[]> {
  const different: Person[] = [];
  for (let first = 0; first < people.length; first += BATCH) {
    const some = people.slice(first, first + BATCH);
    const requests = some.map(({ rawKey }) => ({ credential: rawKey }));
    const { body } = await keys.http.send('POST', '/v2alpha1/admin/apiKeys:batchVerify', {
      headers: bearer,
      json: { requests },
    });
    const results = body.results as { is_valid: boolean; error_code?: string }[];
    some.forEach((person, at) => {
      const isPaused = results[at]?.error_code === 'VERIFICATION_ERROR_PAUSED';
      const isRight = shouldWork(person) ? results[at]?.is_valid : isPaused;
      if (!isRight) different.push(person);
    });
  }
  return different;
}

let redis: OwnStore;
let stack: TestStack;
let processes: Awaited<ReturnType<typeof openProcesses>>;
let directories = 0;

beforeAll(async () => {
  redis = await ownRedis();
  stack = await openTestStack('key-service', {
    undescribed: /./,
    settings: {
      ...SETTINGS,
      API_KEYS: API_KEY,
      EXTERNAL_URL: 'https://sync.example.com',
      WORKSPACE_PUSH: 'false',
      DSYNC_SWEEP_INTERVAL: '1',
      CACHE_TTL: '30s',
      REDIS_URL: redis.url,
    },
  });
  await runMigrations('dsync-api', stack.database.url);
  processes = await openProcesses(stack);
});
afterAll(async () => {
  await stack?.close();
  await redis?.remove();
});

/** Kills one of them, at once, and starts it again. */
async function killAndStart(victim: Name | 'redis'): Promise<void> {
  if (victim !== 'redis') return processes.killAndStart(victim);
  await redis.crash();
  await redis.restartEmpty();
}

const VICTIMS = ['api', 'worker', 'keys', 'replica', 'redis'] as const;

it.each([
  ['the API of directory sync is', ['api']],
  ['the worker is', ['worker']],
  ['both replicas of the key service are', ['keys', 'replica']],
  ['Redis is', ['redis']],
  ['all of them are', VICTIMS],
] as const)(
  `no key of ${PEOPLE} leavers survives while %s killed again and again`,
  async (_, victims) => {
    const people: Person[] = [];
    for (let number = 0; number < DIRECTORIES; number += 1) {
      directories += 1;
      people.push(...(await populate(processes.of('api'), processes.of('keys'), directories)));
    }
    // Directories take turns, so that the lanes of all of them are in use at once.
    const waiting = people.map((_person, at) => people[(at * 997) % people.length] as Person);
    let gone = 0;
    const client = async () => {
      for (let person = waiting.pop(); person; person = waiting.pop()) {
        await live(person);
        gone += 1;
      }
    };
    const load = Promise.all(Array.from({ length: CLIENTS }, () => client()));
    // So that both replicas have keys in memory that have to go.
    const reading = (async () => {
      for (let turn = 0; gone < PEOPLE; turn += 1) {
        const name = turn % 2 === 0 ? 'keys' : 'replica';
        await differences(processes.of(name), people).catch(() => sleep(RETRY_MS));
      }
    })();
    const kills = (async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = gone;
        const reached = Math.min(PEOPLE, before + Math.floor(PEOPLE / (KILLS + 1)));
        const progress = () => gone;
        await eventually(() => expect(gone).toBeGreaterThanOrEqual(reached), {
          progress,
          timeoutMs: 60_000,
        });
        await killAndStart(victims[kill % victims.length] as (typeof VICTIMS)[number]);
      }
    })();
    await Promise.all([load, kills, reading]);
    expect(gone).toBe(people.length);
    for (const name of ['keys', 'replica'] as const) {
      let remaining: readonly Person[] = people;
      await eventually(
        async () => {
          remaining = await differences(processes.of(name), remaining);
          expect(remaining.map(({ rawKey, life }) => [rawKey, life])).toEqual([]);
        },
        { timeoutMs: 60_000, intervalMs: 500, progress: () => remaining.length },
      );
      // What was right stays right.
      expect(await differences(processes.of(name), people)).toEqual([]);
    }
  },
);
