/** Every change of a key is an event: in its transaction, in order, with whom to tell, never a secret. */
import {
  asyncApiDocument,
  catalogSchema,
  KEY_EVENT_CATALOG,
  type LoggedKeyEventType,
} from '@gatehouse/schemas';
import { VERSION } from '@gatehouse/nest-kit/http';
import { eventually } from '@gatehouse/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

interface LoggedEvent {
  event: LoggedKeyEventType;
  data: Record<string, unknown>;
  id: string;
  sequence: number;
  created_at: string;
}

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(() => service.close());

const page = async (query = '') => {
  const answer = await service.admin('GET', `/events${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  const { events, next_page_token: next } = answer.body as {
    events: LoggedEvent[];
    next_page_token: string;
  };
  return { events, next };
};
/** All events after one, or from the beginning. */
const eventsAfter = async (after = '') => (await page(`?page_size=1000&after=${after}`)).events;
const lastId = async () => (await eventsAfter()).at(-1)?.id ?? '';
const summary = (events: LoggedEvent[]) => events.map(({ event, data }) => [event, data.key_id]);

describe('GET /v2alpha1/admin/events', () => {
  it('200: lists what happened to an issued key, in order, with whom to tell', async () => {
    const before = await lastId();
    const { key } = await service.issue({
      actor_id: 'told',
      metadata: { mail: 'a@b.example' },
      tags: ['eu'],
    });
    const path = `/issuedApiKeys/${key.key_id}`;
    await service.admin('PATCH', path, { name: 'Renamed' });
    const rotated = await service.admin('POST', `${path}:rotate`, { grace_period: '1h' });
    const newId = rotated.body.issued_api_key.key_id as string;
    await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential: rotated.body.secret });
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {
      reason: 'REVOCATION_REASON_SUPERSEDED',
    });

    const whom = {
      actor_id: 'told',
      metadata: { mail: 'a@b.example' },
      tags: ['eu'],
      kind: 'issued',
    };
    const events = await eventsAfter(before);
    expect(events.map(({ event, data }) => ({ event, ...data }))).toMatchObject([
      {
        event: 'key.issued',
        ...whom,
        key_id: key.key_id,
        name: 'Test',
        status: 'KEY_STATUS_ACTIVE',
      },
      { event: 'key.updated', ...whom, key_id: key.key_id, name: 'Renamed', fields: ['name'] },
      {
        event: 'key.rotated',
        ...whom,
        key_id: newId,
        old_key_id: key.key_id,
        grace_period: '3600s',
      },
      { event: 'key.revoked', ...whom, key_id: newId, by: 'holder', status: 'KEY_STATUS_REVOKED' },
      { event: 'key.revoked', ...whom, key_id: key.key_id, reason: 'REVOCATION_REASON_SUPERSEDED' },
    ]);
    const numbers = events.map(({ sequence }) => sequence);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(Object.keys(events[0] ?? {}).sort()).toEqual([
      'created_at',
      'data',
      'event',
      'id',
      'sequence',
    ]);
    expect(JSON.stringify(events)).not.toContain(rotated.body.secret);
  });

  it('200: lists imports, also of a batch in its order, and deletions', async () => {
    const before = await lastId();
    const requests = ['a', 'b', 'c'].map((name) => ({
      name,
      actor_id: 'importer',
      raw_key: `key-event-raw-${name}`,
    }));
    const { body } = await service.admin('POST', '/importedApiKeys:batchCreate', { requests });
    const ids = (body.results as { imported_api_key: { key_id: string } }[]).map(
      ({ imported_api_key: key }) => key.key_id,
    );
    await service.admin('DELETE', `/importedApiKeys/${ids[1]}`);
    const events = await eventsAfter(before);
    const names = events.map(({ event, data }) => [event, data.name, data.kind]);
    expect(names).toEqual([
      ...['a', 'b', 'c'].map((name) => ['key.imported', name, 'imported']),
      ['key.deleted', 'b', 'imported'],
    ]);
  });

  it('200: pages, continues behind an event, and filters by type', async () => {
    const before = await lastId();
    const { key } = await service.issue();
    for (const name of ['a', 'b', 'c']) {
      await service.admin('PATCH', `/issuedApiKeys/${key.key_id}`, { name });
    }
    const query = `?page_size=2&after=${before}&type=key.updated`;
    const first = await page(query);
    const second = await page(`${query}&page_token=${first.next}`);
    expect([...first.events, ...second.events].map(({ data }) => data.name)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(second.next).toBe('');
    const rest = await eventsAfter(first.events[0]?.id);
    expect(summary(rest)).toEqual([
      ['key.updated', key.key_id],
      ['key.updated', key.key_id],
    ]);
    expect(await eventsAfter(rest.at(-1)?.id)).toEqual([]);
  });

  it.each([
    ['after=x', 'after'],
    ['after=01900000-0000-7000-8000-000000000000', 'after'],
    ['from_time=yesterday', 'from_time'],
    ['type=key.stolen', 'type'],
    ['page_token=x', 'page_token'],
    ['filter=x', 'filter'],
  ])('400: %s', async (query, field) => {
    const answer = await service.admin('GET', `/events?${query}`);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });

  it('an event exists exactly when the change does', async () => {
    const before = await lastId();
    const { key } = await service.issue({ request_id: 'event-once' });
    await service.issue({ request_id: 'event-once' });
    await service.admin('POST', '/issuedApiKeys', { name: '' });
    await service.admin('PATCH', `/issuedApiKeys/${key.key_id}`, {});
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    await service.admin('DELETE', `/importedApiKeys/${key.key_id}`);
    expect(summary(await eventsAfter(before))).toEqual([
      ['key.issued', key.key_id],
      ['key.revoked', key.key_id],
    ]);
  });

  it('the numbers of a key follow its changes while two replicas change it at once', async () => {
    const before = await lastId();
    const { key } = await service.issue();
    const path = `/issuedApiKeys/${key.key_id}`;
    const changes = Array.from({ length: 40 }, (_, n) =>
      service.admin('PATCH', path, { metadata: { n } }, { replica: n % 2 }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const events = await eventsAfter(before);
    expect(events).toHaveLength(41);
    const { body: now } = await service.admin('GET', path);
    expect(events.at(-1)?.data.metadata).toEqual(now.metadata);
  });

  it('a reader that continues misses no event of concurrent writers, and sees none twice', async () => {
    let after = await lastId();
    const writing = Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        service.admin(
          'POST',
          '/issuedApiKeys',
          { name: `c${n}`, actor_id: 'x' },
          { replica: n % 2 },
        ),
      ),
    ).then((answers) => answers.map(({ body }) => body.issued_api_key.key_id as string));
    let isOver = false;
    void writing.then(() => (isOver = true));
    const read: unknown[] = [];
    for (let isLast = false; ; isLast = isOver) {
      const events = await eventsAfter(after);
      read.push(...events.map(({ data }) => data.key_id));
      after = events.at(-1)?.id ?? after;
      if (isLast) break;
    }
    expect([...read].sort()).toEqual([...(await writing)].sort());
  });
});

it('/events/catalogue.json and asyncapi.json describe every type, without a credential', async () => {
  const guarded = await service.start({ ADMIN_API_KEYS: 'catalog-admin-key-catalog-admin' });
  const { status, body } = await guarded.http.send('GET', '/events/catalogue.json');
  expect([status, body]).toEqual([200, catalogSchema(KEY_EVENT_CATALOG)]);
  const asyncApi = await guarded.http.send('GET', '/events/asyncapi.json');
  expect(asyncApi.body).toEqual(asyncApiDocument(KEY_EVENT_CATALOG, VERSION));
  const validate = new Ajv2020({ formats: { uuid: true, 'date-time': true } }).compile(body);
  const events = await eventsAfter();
  expect(events.filter((event) => !validate(event))).toEqual([]);
  expect(validate({ ...events[0], event: 'key.unknown' })).toBe(false);
});

describe('a process', () => {
  it('announces a key before it expires, and when it has', async () => {
    const before = await lastId();
    await service.start({ KEY_EXPIRING_THRESHOLDS: '2s', KEY_EXPIRY_SCAN_INTERVAL: '1s' });
    const { key } = await service.issue({ ttl: '4s', actor_id: 'expiring' });
    await eventually(async () => {
      const events = await eventsAfter(before);
      expect(summary(events)).toEqual([
        ['key.issued', key.key_id],
        ['key.expiring', key.key_id],
        ['key.expired', key.key_id],
      ]);
      expect(events.map(({ data }) => [data.threshold, data.status])).toEqual([
        [undefined, 'KEY_STATUS_ACTIVE'],
        ['2s', 'KEY_STATUS_ACTIVE'],
        [undefined, 'KEY_STATUS_EXPIRED'],
      ]);
    });
  });

  it('announces the first use of a key that replaces another one, and no further one', async () => {
    const { key } = await service.issue();
    const rotated = await service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`, {
      grace_period: '1h',
    });
    const before = await lastId();
    const newId = rotated.body.issued_api_key.key_id as string;
    const replica = await service.start();
    const options = { replica: service.replicas.indexOf(replica) };
    const { secret } = rotated.body;
    await Promise.all([service.verify(secret), service.verify(secret, {}, options)]);
    await eventually(async () => {
      expect(summary(await eventsAfter(before))).toEqual([['key.rotation_completed', newId]]);
    });
    await replica.stop();
    expect((await eventsAfter(before)).map(({ data }) => data.old_key_id)).toEqual([key.key_id]);
  });

  it('announces that a key exceeds its rate limit, once', async () => {
    const before = await lastId();
    const rate_limit_policy = { quota: '1', unit: 'requests', window: '3600s' };
    const { key, secret } = await service.issue({ rate_limit_policy });
    const replica = await service.start();
    const options = { replica: service.replicas.indexOf(replica) };
    for (const each of [{}, options, {}, options]) await service.verify(secret, {}, each);
    await eventually(async () => {
      expect(summary(await eventsAfter(before))).toEqual([
        ['key.issued', key.key_id],
        ['key.rate_limited', key.key_id],
      ]);
    });
    await replica.stop();
    const events = await eventsAfter(before);
    expect(events.map(({ data }) => data.rate_limit_policy)).toEqual([
      undefined,
      rate_limit_policy,
    ]);
  });

  it('announces that the credits of a key are used up, once, but not for a peek', async () => {
    const before = await lastId();
    const { key, secret } = await service.issue({ credits: { remaining: '1' } });
    for (let n = 0; n < 4; n += 1) await service.verify(secret);
    const { secret: other } = await service.issue({ credits: { remaining: '0' } });
    await service.verify(other, { peek: true });
    await eventually(async () => {
      expect(summary(await eventsAfter(before))).toContainEqual([
        'key.credits_exhausted',
        key.key_id,
      ]);
    });
    const events = (await eventsAfter(before)).filter(({ event }) => /credits/.test(event));
    expect(events.map(({ data }) => data.credits)).toEqual([{ remaining: '0', refill_time: null }]);
  });

  it('creates the partitions of today before it serves, and drops those that are too old', async () => {
    const { database } = service;
    const partitions = async () => {
      const rows = await database.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits
         WHERE inhparent = 'keys.events'::regclass ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };
    const fields = { name: 'Test', actor_id: 'x' };
    // The upkeep of the process that runs, ten seconds after its start, may undo this once.
    await eventually(async () => {
      await database.query(`SELECT keys.create_partitions(date '2020-01-01', date '2020-01-03')`);
      const current = (await partitions()).filter((name) => !name.includes('_2020'));
      for (const name of current) await database.query(`DROP TABLE ${name}`);
      expect((await service.admin('POST', '/issuedApiKeys', fields)).status).toBe(500);
    });
    await service.start({ KEY_EVENTS_TTL: '30d' });
    expect((await service.admin('POST', '/issuedApiKeys', fields)).status).toBe(201);
    expect((await partitions()).filter((name) => name.includes('2020'))).toEqual([]);
  });
});
